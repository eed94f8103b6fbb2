import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { sendBatch } from '../../../src/activities/delivery/send-slice.ts'
import type { Channel } from '../../../src/contract/enums.ts'
import type { Trx } from '../../../src/db/connect.ts'
import { claimBatch } from '../../../src/db/queries/delivery/batch.ts'
import { storeCall } from '../../../src/db/queries/delivery/call.ts'
import { restChannel } from '../../../src/db/queries/delivery/provider.ts'
import { findWaveInfo, lockWave } from '../../../src/db/queries/delivery/wave.ts'
import { skipFreeBatches } from '../../../src/db/queries/delivery/wave-end.ts'
import { forFarEnds } from '../../fixtures/delivery.ts'
import { activityAttempt, finishActiveWave, sendAll } from '../../fixtures/delivery-steps.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { expireLeases, type PlannedSend, startedSend, tallyOf } from '../../fixtures/sends.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'
import { expectAccounted } from './accounting.ts'

const clock = { quotaTimeZone: 'Asia/Taipei', server: 'mail.example.edu', paced: false }

const { database, fixture } = forFarEnds()

const always = { canStart: () => true, end: () => {} }

/**
 * Claims a wave's only batch while its wave is held, and lets `meanwhile` come between the claim's beginning and its
 * end.
 */
async function claimLate(planned: PlannedSend, channel: Channel, meanwhile: () => Promise<unknown>) {
  const of = { waveId: planned.waveId, channel, claimId: randomUUID() }
  const claimed = (await commitWhileBlocked(
    database.db,
    (trx) => lockWave(trx, planned.waveId),
    () => claimBatch(database.db, of, activityAttempt({ runId: 'another run' }), clock),
    meanwhile,
  ))!
  return { claimed, claim: { ...of, number: claimed.number } }
}

it.each([
  { channel: 'chat', categoryId: 'everywhere', reach: ['chat'], kept: 'sent' },
  { channel: 'email', categoryId: 'letters', reach: ['email'], kept: 'unknown interrupted' },
] as const)(
  'a call that a suspended worker stores while its $channel batch is claimed again is found, and loses no recipient',
  async ({ channel, categoryId, reach, kept }) => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 1, reach), { categoryId })
    const of = { waveId: planned.waveId, channel, claimId: randomUUID() }
    const { number } = (await claimBatch(database.db, of, activityAttempt(), clock))!
    await expireLeases(fixture, planned)
    const wave = (await findWaveInfo(database.db, planned.waveId))!
    const call = { callNumber: 0, retryKey: randomUUID() }

    const { claim, claimed } = await claimLate(planned, channel, () =>
      storeCall(database.db, { ...of, number }, call, wave),
    )
    const work = {
      delivery: fixture.delivery,
      wave,
      claim,
      claimed,
      lease: always,
      counts: { calls: 0 },
      claimedAt: performance.now(),
    }
    expect(await sendBatch(work)).toBe('again')

    await sendAll(fixture, planned)
    expect(await finishActiveWave(fixture, planned)).toEqual({ more: false, closed: true })
    expect(await tallyOf(fixture, planned)).toMatchObject({ [`${channel} ${kept}`]: 1 })
    await expectAccounted(fixture, planned)
    expect((await fixture.chat.journal()).map(({ retryKey }) => retryKey)).toEqual(
      channel === 'chat' ? [call.retryKey] : [],
    )
  },
)

it('a batch claimed while its channel begins to rest is not sent before the rest ends', async () => {
  const planned = await startedSend(fixture, await addRecipients(database.db, 1), {
    categoryId: 'everywhere',
  })
  const wave = (await findWaveInfo(database.db, planned.waveId))!
  const rest = (trx: Trx) => restChannel(trx, 'chat', 60_000)
  const { claim, claimed } = await claimLate(planned, 'chat', () => database.db.transaction().execute(rest))
  const work = {
    delivery: fixture.delivery,
    wave,
    claim,
    claimed,
    lease: always,
    counts: { calls: 0 },
    claimedAt: performance.now(),
  }
  expect(await sendBatch(work)).toBe('again')
  expect(await fixture.chat.journal()).toEqual([])

  await database.db.deleteFrom('channel_rest').execute()
  await sendAll(fixture, planned)
  expect(await fixture.chat.journal()).toHaveLength(1)
})

/** Blocks reads of the clock in this transaction while `key` is locked. */
async function slowClock(trx: Trx, key: number): Promise<void> {
  await sql`create schema held`.execute(trx)
  await sql`
    create function held.clock_timestamp() returns timestamptz language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(${sql.lit(key)});
      return pg_catalog.clock_timestamp();
    end $$`.execute(trx)
  await sql`set local search_path = held, public, pg_catalog`.execute(trx)
}

it('a call that a suspended worker stores while its batch is being skipped is found, and may have been sent', async () => {
  const { db } = database
  const planned = await startedSend(fixture, await addRecipients(db, 1), {
    categoryId: 'everywhere',
  })
  const of = { waveId: planned.waveId, channel: 'chat', claimId: randomUUID() } as const
  const { number } = (await claimBatch(db, of, activityAttempt(), clock))!
  await expireLeases(fixture, planned)
  const wave = (await findWaveInfo(db, planned.waveId))!
  const call = { callNumber: 0, retryKey: randomUUID() }

  const ended = await commitWhileBlocked(
    db,
    (trx) => sql`select pg_advisory_xact_lock(1)`.execute(trx),
    () =>
      db.transaction().execute(async (trx) => {
        await slowClock(trx, 1)
        return skipFreeBatches(trx, planned.waveId, 'stopped', 20)
      }),
    () => storeCall(db, { ...of, number }, call, wave),
  )
  expect(ended).toBe(1)
  expect(await tallyOf(fixture, planned)).toMatchObject({ 'chat unknown stopped': 1 })
  const stored = await db.selectFrom('call').select('state').where('wave_id', '=', planned.waveId).execute()
  expect(stored).toEqual([{ state: 'unknown' }])
})
