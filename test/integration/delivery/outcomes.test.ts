import { type RawBuilder, sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { createCircuitBreaker } from '../../../src/activities/delivery/circuit-breaker.ts'
import { finishWave } from '../../../src/activities/delivery/finish-wave.ts'
import type { Outcome } from '../../../src/domain/message/outcome.ts'
import { forSends, type ScriptedDelivery, withScriptedProvider } from '../../fixtures/delivery.ts'
import { activityAttempt, finishActiveWave, sendSlices } from '../../fixtures/delivery-steps.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { type PlannedSend, rowsOf, startedSend } from '../../fixtures/sends.ts'
import { expectAccounted, outcomes } from './accounting.ts'

let fixture: ScriptedDelivery
const { database, shared } = forSends()
beforeEach(async () => {
  fixture = withScriptedProvider(shared)
  await database.db.deleteFrom('channel_rest').execute()
})

const slice = (planned: PlannedSend) => sendSlices(fixture.delivery, activityAttempt(), planned)

/** Runs slices until no work is left, each after the wait that the previous one asked for. */
async function sendEverything(planned: PlannedSend): Promise<void> {
  for (;;) {
    const { more, waitMs } = await slice(planned)
    if (!more) return
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** Holds every pause of this process and channel; returns the function that ends them. */
function holdPauses(): () => Promise<void> {
  const clock = { now: 0 }
  fixture = { ...fixture, delivery: { ...fixture.delivery, breaker: createCircuitBreaker(() => clock.now) } }
  return async () => {
    clock.now += 3_600_000
    await database.db.deleteFrom('channel_rest').execute()
    await database.db.updateTable('batch').set({ not_before: null }).execute()
  }
}

/** Sets the time of the resting channel's next probe. */
async function probeRestAt(moment: RawBuilder<unknown>): Promise<void> {
  await sql`update channel_rest set probe_at = ${moment}`.execute(database.db)
}

async function close(planned: PlannedSend) {
  expect(await finishActiveWave(fixture, planned)).toEqual({ more: false, closed: true })
  await expectAccounted(fixture, planned)
  return rowsOf(fixture, planned)
}

const refused: Outcome = { kind: 'refused', code: 'rejected' }
const named = (who: (to: string[]) => string[]) => (to: string[]) => ({
  ...refused,
  code: 'invalid_recipient',
  failed: who(to),
})
const batchOf = ({ waveId }: PlannedSend) =>
  database.db.selectFrom('batch').selectAll().where('wave_id', '=', waveId).orderBy('number').execute()

describe('a missing response', () => {
  it('20 times after the provider accepted: the call is retried under its key, sent once, counted once', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 20 * 500))
    fixture.provider.cutNext(20)
    await sendEverything(planned)
    expect(fixture.provider.journal).toHaveLength(20)
    expect(fixture.provider.tries.length).toBeGreaterThanOrEqual(40)
    expect((await close(planned)).wave).toMatchObject({ sent: 10_000, unknown: 0 })
  })

  it('is not retried once the provider has forgotten the key: unknown, and paid for', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 1))
    fixture.provider.cutNext(1)
    await slice(planned)
    await sql`update call set first_try_at = now() - interval '24 hours' where wave_id = ${planned.waveId}`.execute(
      database.db,
    )
    await sendEverything(planned)
    expect(fixture.provider.tries).toHaveLength(1)
    const { message, wave } = await close(planned)
    expect(message.state).toBe('sent')
    expect(wave).toMatchObject({ sent: 0, unknown: 1 })
  })
})

describe('a rejection', () => {
  it('that names its reason fails only those; the rest is retried under a new key', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 1_000))
    fixture.provider.next(named((to) => [to[7]!, to[12]!]))
    await sendEverything(planned)
    expect((await close(planned)).wave).toMatchObject({ sent: 998, failed: 2 })
    const [first, second] = fixture.provider.tries
    expect(second!.retryKey).not.toBe(first!.retryKey)
    expect(second!.to).toHaveLength(498)
    const failed = (await outcomes(fixture, planned)).filter(({ state }) => state === 'failed')
    expect(failed.map(({ address }) => address).sort()).toEqual([first!.to[7], first!.to[12]].sort())
    expect(failed[0]!.reason).toBe('invalid_recipient')
  })

  it('that names no recipient is halved until the bad address is isolated', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 1_000))
    const bad = (await outcomes(fixture, planned))[123]!.address
    fixture.provider.always((to) => (to.includes(bad) ? refused : undefined), 1_000)
    await sendEverything(planned)
    const { wave } = await close(planned)
    expect(wave).toMatchObject({ sent: 999, failed: 1 })
    const failed = (await outcomes(fixture, planned)).filter(({ state }) => state === 'failed')
    expect(failed).toEqual([{ state: 'failed', reason: 'rejected', address: bad }])
    expect(fixture.provider.tries.length).toBeLessThan(25)
  })

  it('of all recipients fails the message and costs nothing', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 2))
    fixture.provider.always(refused, 10)
    await sendEverything(planned)
    expect((await close(planned)).message.state).toBe('failed')
  })

  it('of a later call keeps what the calls before it have sent on the ledger', async () => {
    const text = (n: number) => ({ kind: 'text' as const, text: { 'zh-TW': `${n}` } })
    const six = { messages: [1, 2, 3, 4, 5, 6].map(text) }
    const planned = await startedSend(fixture, await addRecipients(database.db, 8), six)
    // Each half has its own second call, which one person cannot receive.
    const bad = (await outcomes(fixture, planned))[0]!.address
    let calls = 0
    fixture.provider.always((to) => (to.includes(bad) && ++calls > 1 ? refused : undefined), 100)
    await sendEverything(planned)
    expect(await finishWave(fixture.delivery, activityAttempt(), planned.id)).toMatchObject({ closed: true })
    const { wave } = await rowsOf(fixture, planned)
    expect(wave).toMatchObject({ sent: 7, failed: 1 })
    const sentTo = fixture.provider.journal.flatMap(({ to }) => to)
    const pushes = (await batchOf(planned)).reduce((sum, batch) => sum + batch.pushes, 0)
    expect(sentTo).toHaveLength(15)
    expect(pushes).toBe(15)
    const broken = await brokenInvariants(database.db, { runs: false })
    expect(broken).toEqual([])
  })
})

describe('a provider that throttles', () => {
  it('is not called until the time it named, by any wave of the channel', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 4))
    const other = await startedSend(fixture, await addRecipients(database.db, 4))
    const letPauseEnd = holdPauses()
    fixture.provider.next({ kind: 'throttled', retryAfterMs: 240_000 })
    expect(await slice(planned)).toMatchObject({ more: true, counts: { done: 0 } })
    await probeRestAt(sql`until`)
    for (const wave of [other, planned]) {
      const { more, waitMs, counts } = await slice(wave)
      expect({ more, done: counts.done }).toEqual({ more: true, done: 0 })
      expect(waitMs).toBeGreaterThan(200_000)
      expect(waitMs).toBeLessThanOrEqual(240_000)
    }
    expect(fixture.provider.tries).toHaveLength(1)

    await letPauseEnd()
    await Promise.all([sendEverything(planned), sendEverything(other)])
    await close(planned)
    await close(other)
  })

  it('is probed by one batch of another wave, which ends the rest for all waves but the one that was rejected', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 4))
    const other = await startedSend(fixture, await addRecipients(database.db, 4))
    const letPauseEnd = holdPauses()
    fixture.provider.next({ kind: 'throttled', retryAfterMs: 240_000 })
    await slice(planned)
    await probeRestAt(sql`clock_timestamp()`)
    expect(await slice(other)).toMatchObject({ more: false, counts: { done: 2 } })
    expect(await slice(planned)).toMatchObject({ more: true, counts: { done: 1 } })
    expect(fixture.provider.journal).toHaveLength(3)

    await letPauseEnd()
    await sendEverything(planned)
    await close(planned)
    await close(other)
  })

  it('for the rest of its month parks the wave, and a probe lets it continue', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 4))
    fixture.provider.always({ kind: 'quota' }, 2)
    expect((await slice(planned)).more).toBe(true)
    expect(await rowsOf(fixture, planned)).toMatchObject({
      message: { problem: 'provider_quota' },
      wave: { parked: 'provider_quota' },
    })
    expect(fixture.provider.tries).toHaveLength(2)
    expect(await slice(planned)).toMatchObject({ more: true, counts: { done: 0 } })
    expect(fixture.provider.tries).toHaveLength(2)

    await database.db.updateTable('wave').set({ probe_at: new Date() }).execute()
    await sendEverything(planned)
    expect(fixture.provider.journal).toHaveLength(2)
    const { message, wave } = await close(planned)
    expect(message.problem).toBeNull()
    expect(wave.parked).toBeNull()
  })

  it('while parked is called once at each probe, by whichever worker', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 4))
    fixture.provider.always({ kind: 'misconfigured', code: 'http_401' }, 10)
    await slice(planned)
    await database.db.updateTable('wave').set({ probe_at: new Date() }).execute()
    await database.db.updateTable('batch').set({ not_before: null }).execute()
    const before = fixture.provider.tries.length
    fixture.delivery.breaker = createCircuitBreaker() // another worker
    await Promise.all([slice(planned), slice(planned), slice(planned)])
    expect(fixture.provider.tries.length - before).toBe(1)
    expect((await rowsOf(fixture, planned)).message.problem).toBe('provider')
  })
})

describe('a provider that is down', () => {
  it('is retried later each time, without running through the batches', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 5_000))
    const letPauseEnd = holdPauses()
    fixture.provider.always({ kind: 'unavailable', code: 'no_connection', certain: true, general: true }, 3)
    for (const tries of [1, 2, 3]) {
      const paused = await slice(planned)
      expect(paused).toMatchObject({ more: true, counts: { again: 1 } })
      expect(paused.waitMs).toBeGreaterThan(0)
      expect(fixture.provider.tries).toHaveLength(tries)
      await letPauseEnd()
    }
    await sendEverything(planned)
    expect((await close(planned)).wave.sent).toBe(5_000)
  })

  it('may have lost a member in the meantime, as long as no try was unclear', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 6))
    const letPauseEnd = holdPauses()
    fixture.provider.always({ kind: 'unavailable', code: 'no_connection', certain: true }, 1)
    await slice(planned)
    const gone = fixture.provider.tries[0]!.to[0]!
    await updateRows(database.db, 'address', { address: gone }, { blocked_at: new Date() })
    await letPauseEnd()
    await sendEverything(planned)
    expect((await close(planned)).wave).toMatchObject({ sent: 5, skipped: { blocked: 1 } })
  })
})

describe('a recipient who withdrew before the batch was claimed', () => {
  it('is not sent to, and the quota of all skipped recipients is released', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 6))
    const all = await outcomes(fixture, planned)
    for (const { address } of all.slice(0, 6))
      await updateRows(database.db, 'address', { address }, { blocked_at: new Date() })
    await sendEverything(planned)
    expect(fixture.provider.tries).toHaveLength(0)
    const { message, wave } = await close(planned)
    expect(wave).toMatchObject({ sent: 0, skipped: { blocked: 6 } })
    expect(message.state).toBe('sent')
  })
})
