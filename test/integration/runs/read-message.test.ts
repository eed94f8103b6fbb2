import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMessage } from '../../../src/activities/read-message.ts'
import type { Db } from '../../../src/db/connect.ts'
import { observeMessage, recordObservedMessage } from '../../../src/db/queries/run/observe.ts'
import { insertMessageRows, makeMove, messageRow } from '../../fixtures/message-rows.ts'
import { selectRow } from '../../fixtures/rows.ts'
import { type Decision, decisionOf } from '../../fixtures/stages.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'

const quotaTimeZone = 'Asia/Taipei'

/** What the run does with what it reads. */
async function next(db: Db, id: string): Promise<Decision & { ms?: number }> {
  const message = await readMessage({ db, quotaTimeZone }, id)
  if (!message || message.closed) return { do: 'end' }
  const decided = await decisionOf(message)
  return 'do' in decided || decided.until === null ? decided : { ...decided, ms: decided.until - message.now }
}

describe('the reading of a message', () => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  const db = () => database.db
  const look = (id: string) => next(db(), id)
  const nextLook = async (id: string) => (await messageRow(db(), id)).next_wakeup_at
  const clock = async () =>
    (await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db())).rows[0]!.now.getTime()

  it('records the version it observed and when the run must be woken', async () => {
    const waiting = await insertMessageRows(db(), { state: 'submitted', expireIn: 60_000 })
    expect(await look(waiting)).toMatchObject({ wait: 'an approval' })
    const row = await messageRow(db(), waiting)
    expect(row).toMatchObject({ observed_version: row.version, next_wakeup_at: row.expires_at })

    const going = await insertMessageRows(db())
    const before = await clock()
    expect(await look(going)).toMatchObject({ do: 'resolveAudience' })
    const inAMinute = (await nextLook(going))!.getTime() - 60_000
    expect(inAMinute).toBeGreaterThanOrEqual(before)
    expect(inAMinute).toBeLessThanOrEqual(await clock())

    const open = await insertMessageRows(db(), { state: 'submitted' })
    await look(open)
    expect(await nextLook(open)).toBeNull()
  })

  it('does not record a change made after it read the row', async () => {
    const id = await insertMessageRows(db(), { state: 'submitted' })
    const reading = await observeMessage(db(), id, quotaTimeZone)
    await makeMove(db(), id, 'approve')
    expect(await recordObservedMessage(db(), id, reading!.view.version, null)).toBe(false)
    expect(await messageRow(db(), id)).toMatchObject({ observed_version: 0 })
    expect(await look(id)).toMatchObject({ do: 'resolveAudience' })
  })

  it('ends a run whose message is missing', async () => {
    expect(await look('00000000-0000-7000-8000-000000000000')).toEqual({ do: 'end' })
  })

  it('sets no wakeup for a closed message', async () => {
    const id = await insertMessageRows(db(), { state: 'cancelled' })
    await sql`update message set closed_at = now(), next_wakeup_at = now() where id = ${id}`.execute(db())
    expect(await look(id)).toMatchObject({ do: 'end' })
    expect(await nextLook(id)).toBeNull()
  })
})

describe('the reading of a wave that is being sent', () => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  /** The run's decision about batches in these states, one for each. */
  async function withBatches(batches: string[], wave = ''): Promise<Decision & { ms?: number }> {
    const { db } = database
    await sql`delete from channel_rest`.execute(db)
    const id = await insertMessageRows(db, { state: 'sending' })
    const { id: waveId } = await selectRow(db, 'wave', { message_id: id }, ['id'])
    await sql`update wave set state = 'sending', expected = 1 ${sql.raw(wave)} where id = ${waveId}`.execute(
      db,
    )
    for (const [number, set] of batches.entries()) {
      await sql`insert into batch (wave_id, channel, number, locale, size)
        values (${waveId}, 'chat', ${number}, 'en', 1)`.execute(db)
      if (set)
        await sql`update batch set ${sql.raw(set)} where wave_id = ${waveId} and number = ${number}`.execute(
          db,
        )
    }
    return next(db, id)
  }
  const held = `lease_until = now() + interval '1 hour'`
  const later = `not_before = now() + interval '1 hour'`

  const msOf = ({ ms }: { ms?: number }) => ms

  it('opens a lane for every batch that is free, at most four', async () => {
    expect(await withBatches(['', held, '', later])).toMatchObject({ do: 'sendWave', lanes: { chat: 2 } })
    expect(await withBatches(Array.from({ length: 9 }, () => ''))).toMatchObject({ lanes: { chat: 4 } })
  })

  it('counts an expired lease, and a past back-off, as free', async () => {
    const over = `lease_until = now() - interval '1 ms', not_before = now() - interval '1 ms'`
    expect(await withBatches([over])).toMatchObject({ do: 'sendWave', lanes: { chat: 1 } })
  })

  it('waits for a back-off to the end, for another worker’s lease five seconds at a time', async () => {
    const backOff = await withBatches([later])
    expect(backOff).toMatchObject({ wait: 'the provider' })
    expect(msOf(backOff)).toBeGreaterThan(3_000_000)
    // Until is rounded up to a millisecond, and now down.
    expect(msOf(backOff)).toBeLessThanOrEqual(3_600_001)
    for (const batches of [[held], [later, held]]) {
      const lease = msOf(await withBatches(batches))
      expect(lease).toBeGreaterThanOrEqual(5_000)
      expect(lease).toBeLessThan(3_000_000)
    }
  })

  it('waits while the wave is parked', async () => {
    const parked = await withBatches([''], `, parked = 'provider', probe_at = now() + interval '1 hour'`)
    expect(parked).toMatchObject({ wait: 'the provider' })
    expect(msOf(parked)).toBeGreaterThan(3_000_000)
  })

  it('finishes once no batch is open', async () => {
    expect(await withBatches([`state = 'done'`, `state = 'counted'`])).toMatchObject({ do: 'finishWave' })
  })
})
