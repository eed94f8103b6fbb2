import { expect, it } from 'vitest'
import type { Problem } from '../../../src/contract/enums.ts'
import { startApi } from '../../fixtures/api.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { insertRow, updateRows } from '../../fixtures/rows.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

async function park(problem: Problem | null): Promise<void> {
  await api.database.db.updateTable('message').set({ problem }).execute()
}

it('parked sends are counted by problem in health and metrics, and degrade the service', async () => {
  await api.call('createMessage', {
    key: api.keys.a,
    headers: { 'idempotency-key': 'parked' },
    body: newMessage,
  })
  expect((await api.call('getHealth')).body).toMatchObject({
    status: 'ok',
    parked: { provider: 0, provider_quota: 0, quota: 0 },
  })
  await park('provider_quota')
  expect((await api.call('getHealth')).body).toMatchObject({
    status: 'degraded',
    parked: { provider: 0, provider_quota: 1, quota: 0 },
  })
  const body = await api.app.metrics.metrics()
  expect(body).toContain('carillon_runs_parked{kind="message",problem="provider_quota"} 1')
  expect(body).toContain('carillon_runs_parked{kind="message",problem="quota"} 0')

  await park('quota')
  expect((await api.call('getHealth')).body).toMatchObject({ status: 'ok', parked: { quota: 1 } })
})

it('runs that no worker takes degrade the service once they are a minute late', async () => {
  const { db } = api.database
  await park(null)
  const change = (secondsAgo: number) =>
    updateRows(
      db,
      'message',
      {},
      { version: 2, observed_version: 1, changed_at: new Date(Date.now() - secondsAgo * 1_000) },
    )
  await change(30)
  expect((await api.call('getHealth')).body).toMatchObject({ status: 'ok', runs: { overdue: 0 } })
  await change(90)
  expect((await api.call('getHealth')).body).toMatchObject({ status: 'degraded', runs: { overdue: 1 } })
})

it('sends that reached too few are counted with their codes, and degrade the service if they were large', async () => {
  const { db } = api.database
  await db.updateTable('message').set({ version: 1, observed_version: 1, problem: null }).execute()
  const { id } = await db.selectFrom('message').select('id').executeTakeFirstOrThrow()
  const shortfall = (people: number) =>
    JSON.stringify({
      people,
      reached: 0,
      reasons: [{ channel: 'email', reason: 'bad_address', deliveries: people }],
    })
  await insertRow(db, 'wave', {
    message_id: id,
    month: '2026-11-01',
    state: 'sent',
    finished_at: new Date(),
    shortfall: shortfall(19),
  })
  const failedSends = {
    ...{ sends: 1, people: 19, reached: 0 },
    reasons: [{ channel: 'email', reason: 'bad_address', deliveries: 19 }],
  }
  const { body } = await api.call('getHealth')
  expect(body).toMatchObject({ status: 'ok', failedSends })
  expect(await api.app.metrics.metrics()).toContain('carillon_failed_sends 0')
  await updateRows(db, 'wave', {}, { shortfall: shortfall(20) })
  expect((await api.call('getHealth')).body).toMatchObject({
    status: 'degraded',
    failedSends: { people: 20 },
  })
  expect(await api.app.metrics.metrics()).toContain('carillon_failed_sends 1')
  await updateRows(db, 'wave', {}, { finished_at: new Date(Date.now() - 3_601_000) })
  expect((await api.call('getHealth')).body).toMatchObject({ status: 'ok', failedSends: { sends: 0 } })
})
