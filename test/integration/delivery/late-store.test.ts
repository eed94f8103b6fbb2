import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sendBatch } from '../../../src/activities/delivery/send-slice.ts'
import type { Trx } from '../../../src/db/connect.ts'
import { claimBatch } from '../../../src/db/queries/delivery/batch.ts'
import { storeCall } from '../../../src/db/queries/delivery/call.ts'
import { restChannel } from '../../../src/db/queries/delivery/provider.ts'
import { lockWave, waveBrief } from '../../../src/db/queries/delivery/wave.ts'
import { skipFreeBatches } from '../../../src/db/queries/delivery/wave-end.ts'
import type { Channel } from '../../../src/domain/channel-plan.ts'
import { letLeasesEnd, type Planned, type Scene, sending, step } from '../../fixtures/delivery.ts'
import {
  finishing,
  type MailScene,
  makeMailScene,
  readers,
  sendAll,
  tally,
  withMailbox,
} from '../../fixtures/mail-delivery.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { whileItWaits } from '../../harness/waiting.ts'
import { expectAccounted } from './accounting.ts'

let database: FreshDatabase
let shared: Scene
let scene: MailScene
beforeAll(async () => {
  database = await freshDatabase()
  shared = await makeMailScene(database.db)
})
beforeEach(async () => {
  scene = await withMailbox(shared)
})
afterAll(() => database.drop())

const always = { mayBegin: () => true, end: () => {} }

/** Claims a wave's only batch while its wave is held, and lets `meanwhile` come between the claim's beginning and its end. */
async function claimLate(planned: Planned, channel: Channel, meanwhile: () => Promise<unknown>) {
  const of = { waveId: planned.waveId, channel, claimId: randomUUID() }
  const claimed = (await whileItWaits(
    database.db,
    (trx) => lockWave(trx, planned.waveId),
    () => claimBatch(database.db, of, step({ runId: 'another run' }), 'Asia/Taipei'),
    meanwhile,
  ))!
  return { claimed, claim: { ...of, number: claimed.number } }
}

it.each([
  { channel: 'chat', categoryId: 'everywhere', reach: { chat: true, email: false }, kept: 'sent' },
  { channel: 'email', categoryId: 'letters', reach: {}, kept: 'unknown interrupted' },
] as const)(
  'a call that a sleeper stores while its $channel batch is being claimed anew is found, and nobody of it is lost',
  async ({ channel, categoryId, reach, kept }) => {
    const planned = await sending(scene, await readers(database.db, 1, reach), { categoryId })
    const of = { waveId: planned.waveId, channel, claimId: randomUUID() }
    const { number } = (await claimBatch(database.db, of, step(), 'Asia/Taipei'))!
    await letLeasesEnd(scene, planned)
    const wave = (await waveBrief(database.db, planned.waveId))!
    const call = { part: 0, retryKey: randomUUID() }

    const { claim, claimed } = await claimLate(planned, channel, () =>
      storeCall(database.db, { ...of, number }, call, wave),
    )
    const work = {
      delivery: scene.delivery,
      wave,
      claim,
      claimed,
      lease: always,
      claimedAt: performance.now(),
    }
    expect(await sendBatch(work)).toBe('again')

    await sendAll(scene, planned)
    expect(await finishing(scene, planned)).toEqual({ more: false, closed: true })
    expect(await tally(scene, planned)).toMatchObject({ [`${channel} ${kept}`]: 1 })
    await expectAccounted(scene, planned)
    expect(scene.provider.tries.map(({ retryKey }) => retryKey)).toEqual(
      channel === 'chat' ? [call.retryKey] : [],
    )
  },
)

it('a batch that is claimed while its channel is told to rest is not sent before the rest is over', async () => {
  const planned = await sending(scene, await readers(database.db, 1, { chat: true, email: false }), {
    categoryId: 'everywhere',
  })
  const wave = (await waveBrief(database.db, planned.waveId))!
  const rest = (trx: Trx) => restChannel(trx, 'chat', 60_000)
  const { claim, claimed } = await claimLate(planned, 'chat', () => database.db.transaction().execute(rest))
  const work = { delivery: scene.delivery, wave, claim, claimed, lease: always, claimedAt: performance.now() }
  expect(await sendBatch(work)).toBe('again')
  expect(scene.provider.tries).toEqual([])

  await database.db.deleteFrom('channel_rest').execute()
  await sendAll(scene, planned)
  expect(scene.provider.tries).toHaveLength(1)
})

/** As if whoever asks for the clock in this transaction were held up while `key` is locked. */
async function slowClock(trx: Trx, key: number): Promise<void> {
  await sql`create schema held`.execute(trx)
  await sql`
    create function held.clock_timestamp() returns timestamptz language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(${sql.lit(key)});
      return pg_catalog.clock_timestamp();
    end $$`.execute(trx)
  await sql`set local search_path = held, public, pg_catalog`.execute(trx)
}

it('a call that a sleeper stores while its batch is being skipped is found, and may have been told', async () => {
  const { db } = database
  const planned = await sending(scene, await readers(db, 1, { chat: true, email: false }), {
    categoryId: 'everywhere',
  })
  const of = { waveId: planned.waveId, channel: 'chat', claimId: randomUUID() } as const
  const { number } = (await claimBatch(db, of, step(), 'Asia/Taipei'))!
  await letLeasesEnd(scene, planned)
  const wave = (await waveBrief(db, planned.waveId))!
  const call = { part: 0, retryKey: randomUUID() }

  const ended = await whileItWaits(
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
  expect(await tally(scene, planned)).toMatchObject({ 'chat unknown stopped': 1 })
  const stored = await db.selectFrom('call').select('state').where('wave_id', '=', planned.waveId).execute()
  expect(stored).toEqual([{ state: 'unknown' }])
})
