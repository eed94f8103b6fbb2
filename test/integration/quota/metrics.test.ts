import { Registry } from 'prom-client'
import { beforeAll, expect, it } from 'vitest'
import { monthOf } from '../../../src/domain/lib/month.ts'
import { registerRowMetrics } from '../../../src/metrics/rows.ts'
import { insertMessageRows } from '../../fixtures/message-rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const quotaTimeZone = 'Asia/Taipei'

const registry = new Registry()
const database = forFile(freshDatabase)
beforeAll(async () => {
  registerRowMetrics({ db: database.db, quotaTimeZone }, registry)
})

/** The values of a metric by its labels. */
async function valuesOf(name: string): Promise<Record<string, number>> {
  const { values } = await registry.getSingleMetric(name)!.get()
  return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(' '), value]))
}

it('the ratio of quota is the highest of all units, and the pool’s, of this month', async () => {
  expect(await valuesOf('carillon_quota_ratio')).toEqual({
    ...{ 'chat unit': 0, 'chat pool': 0, 'email unit': 0, 'email pool': 0 },
  })
  const month = monthOf(new Date(), quotaTimeZone)
  const row = (scope: string, monthly_limit: number, reserved: number, committed: number) => ({
    ...{ scope, channel: 'chat' as const, month, monthly_limit, reserved, committed },
  })
  const lastYear = { ...row('c', 1, 0, 1), month: '2025-01-01' }
  await database.db
    .insertInto('quota_ledger')
    .values([row('a', 100, 10, 15), row('b', 100, 0, 90), row('pool', 1_000, 0, 10), lastYear])
    .execute()
  expect(await valuesOf('carillon_quota_ratio')).toEqual({
    ...{ 'chat unit': 0.9, 'chat pool': 0.01, 'email unit': 0, 'email pool': 0 },
  })
})

it('the oldest approval is that of the message which has waited longest since it came to review', async () => {
  const { db } = database
  expect(await valuesOf('carillon_approvals_oldest_seconds')).toEqual({ '': 0 })
  const came = async (hoursAgo: number, state: 'submitted' | 'approved') => {
    const id = await insertMessageRows(db, { state })
    const at = new Date(Date.now() - hoursAgo * 3_600_000)
    await db.updateTable('message').set({ snapshot_at: at }).where('id', '=', id).execute()
  }
  expect(await valuesOf('carillon_approvals_due_seconds')).toEqual({ '': Number.POSITIVE_INFINITY })
  await came(3, 'approved')
  await came(2, 'submitted')
  await came(1, 'submitted')
  const { '': seconds } = await valuesOf('carillon_approvals_oldest_seconds')
  expect(Math.floor(seconds! / 3_600)).toBe(2)

  const due = async (hours: number, state: 'submitted' | 'approved') => {
    const id = await insertMessageRows(db, { state })
    const at = new Date(Date.now() + hours * 3_600_000)
    await db.updateTable('message').set({ schedule_at: at }).where('id', '=', id).execute()
  }
  for (const hours of [-1, 5, 9]) await due(hours, 'submitted')
  await due(2, 'approved')
  const { '': ahead } = await valuesOf('carillon_approvals_due_seconds')
  expect(Math.round(ahead! / 3_600)).toBe(5)
})
