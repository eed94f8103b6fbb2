import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { reserveQuota } from '../../../src/activities/delivery/reserve-quota.ts'
import { startWave } from '../../../src/activities/delivery/start-wave.ts'
import { writeDeliveries } from '../../../src/activities/delivery/write-deliveries.ts'
import { forScriptedSends } from '../../fixtures/delivery.ts'
import { activityAttempt, finishActiveWave, sendSlices } from '../../fixtures/delivery-steps.ts'
import { addRecipients, addRecipientsTo } from '../../fixtures/recipients.ts'
import { approvedSend, type PlannedSend, rowsOf, startedSend } from '../../fixtures/sends.ts'
import { expectAccounted } from './accounting.ts'

const { database, fixture } = forScriptedSends(0)
beforeEach(() => sql`update quota_ledger set monthly_limit = 1000 where scope <> 'pool'`.execute(database.db))

const slice = (planned: PlannedSend) => sendSlices(fixture.delivery, activityAttempt(), planned)
const rows = (planned: PlannedSend) => writeDeliveries(fixture.delivery, planned.waveId)
const reserve = (planned: PlannedSend) => reserveQuota(fixture.delivery, activityAttempt(), planned.id)

/** From now on the unit has this much left, and the pool nothing. */
async function leave(pushes: number): Promise<void> {
  await sql`update quota_ledger set monthly_limit = reserved + committed + ${pushes}::int where scope <> 'pool'`.execute(
    database.db,
  )
}

async function probeNow({ waveId }: PlannedSend): Promise<void> {
  await database.db.updateTable('wave').set({ probe_at: new Date() }).where('id', '=', waveId).execute()
}

async function expectSent(planned: PlannedSend, sent: number): Promise<void> {
  expect(await finishActiveWave(fixture, planned)).toEqual({ more: false, closed: true })
  expect((await rowsOf(fixture, planned)).wave).toMatchObject({ state: 'sent', sent })
  await expectAccounted(fixture, planned)
}

describe('quota that is short', () => {
  it('at the start returns the message to review', async () => {
    const tag = await addRecipients(database.db, 3)
    const planned = await approvedSend(fixture, tag)
    await addRecipientsTo(database.db, tag, 2)
    await leave(1)
    expect(await startWave(fixture.delivery, planned.id)).toBeNull()
    const { message } = await rowsOf(fixture, planned)
    expect(message).toMatchObject({ state: 'submitted', review_drift: true })
    expect(message.snapshot?.quota.chat).toMatchObject({ estimatedPushes: 5, wouldExceed: true })
    await expectAccounted(fixture, planned)
  })

  it('when the deliveries are written parks the wave before anything is sent, until there is enough', async () => {
    const tag = await addRecipients(database.db, 20)
    const planned = await approvedSend(fixture, tag)
    await startWave(fixture.delivery, planned.id)
    await addRecipientsTo(database.db, tag, 1)
    await leave(0)
    await rows(planned)
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 0 } })
    await reserve(planned)
    expect(await rowsOf(fixture, planned)).toMatchObject({
      message: { state: 'sending', problem: 'quota' },
      wave: { expected: 21, parked: 'quota' },
    })
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 0 } })
    await probeNow(planned)
    await reserve(planned)
    expect((await rowsOf(fixture, planned)).wave).toMatchObject({ parked: 'quota', unreserved: true })
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 0 } })
    expect(fixture.provider.tries).toHaveLength(0)

    await leave(1)
    await probeNow(planned)
    await reserve(planned)
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 2 } })
    await expectSent(planned, 21)
  })
})

describe('a wave that continues in a later month', () => {
  it('moves the rest of its reservation there; what was spent stays', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 10))
    const { month } = (await rowsOf(fixture, planned)).wave
    const earlier = await moveEverythingBack(month)
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 0 } })
    await reserve(planned)
    await slice(planned)
    await expectSent(planned, 10)
    expect((await rowsOf(fixture, planned)).wave.month).toBe(month)
    const accounts = await database.db
      .selectFrom('quota_reservation')
      .select(['month', 'unit_reserved', 'unit_committed'])
      .where('wave_id', '=', planned.waveId)
      .orderBy('month')
      .execute()
    expect(accounts).toEqual([
      { month: earlier, unit_reserved: 0, unit_committed: 0 },
      { month, unit_reserved: 0, unit_committed: 10 },
    ])
  })

  /** Moves everything a month into the past. */
  async function moveEverythingBack(month: string): Promise<string> {
    const { db } = database
    for (const table of ['wave', 'quota_ledger', 'quota_reservation'] as const)
      await sql`update ${sql.table(table)} set month = month - interval '1 month'`.execute(db)
    const { rows: months } = await sql<{ month: string }>`
      select (${month}::date - interval '1 month')::date as month
    `.execute(db)
    return months[0]!.month
  }
})
