import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { sendSlice } from '../../../src/activities/delivery/send-slice.ts'
import { probeNow } from '../../../src/db/queries/delivery/parking.ts'
import type { Pace } from '../../../src/domain/message/pace.ts'
import { dryRun } from '../../../src/services/messages/prepare.ts'
import { forFarEnds } from '../../fixtures/delivery.ts'
import { activityAttempt, runNextStep, runUntilWait } from '../../fixtures/delivery-steps.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { createDraft } from '../../fixtures/message-fixture.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { approvedSend, type PlannedSend, rowsOf, startedSend } from '../../fixtures/sends.ts'

const { database, fixture } = forFarEnds()
beforeEach(() => database.db.deleteFrom('channel_rest').execute())

/** The open batches of a wave in the order of their times, in seconds from the first of them. */
async function plannedTimes({
  waveId,
}: PlannedSend): Promise<{ size: number; at: number; channel: string }[]> {
  const { rows } = await sql<{ size: number; at: number; channel: string }>`
    select size, channel, extract(epoch from not_before - min(not_before) over ())::float8 as at
    from batch where wave_id = ${waveId} order by not_before, channel, number`.execute(database.db)
  return rows
}

/** The most that goes in any time of 60 seconds. */
function busiestMinute(batches: { size: number; at: number }[]): number {
  const from = ({ at }: { at: number }) =>
    batches
      .filter((other) => other.at >= at && other.at < at + 59.999)
      .reduce((sum, { size }) => sum + size, 0)
  return Math.max(...batches.map(from))
}

/** Lets the wave be so much further: its planned times are earlier by so many seconds. */
async function passSeconds({ waveId }: PlannedSend, seconds: number): Promise<void> {
  await sql`update batch set not_before = not_before - make_interval(secs => ${seconds}) where wave_id = ${waveId}`.execute(
    database.db,
  )
}

const oneSlice = ({ waveId }: PlannedSend) => sendSlice(fixture.delivery, activityAttempt(), waveId, 'chat')

describe('the planned times of a paced send', () => {
  it.each<[Pace, number, string]>([
    [{ perMinute: 60 }, 200, 'chats'],
    [{ perMinute: 7 }, 25, 'chats'],
    [{ perMinute: 1 }, 3, 'chats'],
    [{ perMinute: 100 }, 150, 'everywhere'],
    [{ perMinute: 1_999 }, 1_200, 'everywhere'],
    [{ overSeconds: 600 }, 250, 'everywhere'],
    [{ overSeconds: 60 }, 5, 'chats'],
  ])('keep %j for %d people by %s', async (pace, people, categoryId) => {
    const tag = await addRecipients(database.db, people, ['chat', 'email'])
    const planned = await startedSend(fixture, tag, { categoryId, pace })
    const batches = await plannedTimes(planned)
    const deliveries = batches.reduce((sum, { size }) => sum + size, 0)
    expect(deliveries).toBe(categoryId === 'everywhere' ? 2 * people : people)
    const perMinute = 'perMinute' in pace ? pace.perMinute : (deliveries * 60) / pace.overSeconds
    expect(Math.max(...batches.map(({ size }) => size))).toBeLessThanOrEqual(Math.max(perMinute / 6, 1))
    expect(busiestMinute(batches)).toBeLessThanOrEqual(Math.max(perMinute * 1.1, 1))
    const last = Math.max(...batches.map(({ at }) => at))
    const whole = (deliveries * 60) / perMinute
    expect(last).toBeLessThan(whole)
    expect(last).toBeGreaterThan(whole - 60 / Math.min(perMinute, 10) - 0.01)
    if (categoryId !== 'everywhere') return
    const lastBy = (channel: string) =>
      Math.max(...batches.filter((one) => one.channel === channel).map(({ at }) => at))
    expect(Math.abs(lastBy('chat') - lastBy('email'))).toBeLessThan(Math.max(whole / 5, 13))
  })
})

describe('a paced send', () => {
  it('waits for each of its batches, and says so', async () => {
    const planned = await approvedSend(fixture, await addRecipients(database.db, 20), {
      categoryId: 'chats',
      pace: { perMinute: 60 },
    })
    const waits = await runUntilWait(fixture, planned.id)
    expect(waits).toMatchObject({ do: 'wait', for: 'its pace' })
    expect((await rowsOf(fixture, planned)).wave).toMatchObject({ state: 'sending', expected: 20, sent: 6 })
  })

  it('goes on at its pace after it was held up, by two workers as well', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 60), {
      categoryId: 'chats',
      pace: { perMinute: 60 },
    })
    await passSeconds(planned, 3_600)
    await Promise.all([oneSlice(planned), oneSlice(planned)])
    const sent = (await rowsOf(fixture, planned)).wave.sent
    expect(sent).toBeLessThanOrEqual(12)
    expect(sent).toBeGreaterThanOrEqual(6)
    expect(busiestMinute(await openTimes(planned))).toBeLessThanOrEqual(66)
    expect(Math.min(...(await openTimes(planned)).map(({ at }) => at))).toBeGreaterThan(0)
  })

  it('keeps its pace over a kill', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 60), {
      categoryId: 'chats',
      pace: { perMinute: 60 },
    })
    await sql`update batch set claimed_by = gen_random_uuid(), run_id = 'dead', activity_id = '1', attempt = 1,
      lease_until = clock_timestamp() - interval '1 second' where wave_id = ${planned.waveId} and number = 0`.execute(
      database.db,
    )
    await passSeconds(planned, 60)
    await oneSlice(planned)
    expect((await rowsOf(fixture, planned)).wave.sent).toBeLessThanOrEqual(18)
  })

  it('keeps its pace when a parked wave is tried at once', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 30), {
      categoryId: 'chats',
      pace: { perMinute: 6 },
    })
    const before = await plannedTimes(planned)
    await sql`update batch set tries = 1, failing_since = now(), not_before = now() + interval '1 hour'
      where wave_id = ${planned.waveId} and number = 0`.execute(database.db)
    await database.db.transaction().execute((trx) => probeNow(trx, planned.waveId))
    const due = (await openTimes(planned)).filter(({ at }) => at <= 0)
    expect(before.length).toBe(30)
    expect(due).toEqual([])
    expect(await openTimes(planned)).toHaveLength(29)
  })

  it('sends everybody once', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 30, ['chat', 'email']), {
      categoryId: 'everywhere',
      pace: { perMinute: 300 },
    })
    for (let next = await runNextStep(fixture, planned.id); next.do !== 'end'; ) {
      if (next.do === 'wait') await passSeconds(planned, next.ms! / 1_000)
      next = await runNextStep(fixture, planned.id)
    }
    expect((await rowsOf(fixture, planned)).wave).toMatchObject({ state: 'sent', sent: 60 })
    expect(await brokenInvariants(database.db, { runs: false })).toEqual([])
  })

  it('forecasts its last one, and warns where the message has expired by then', async () => {
    const tag = await addRecipients(database.db, 61)
    const expiresAt = new Date(Date.now() + 30 * 60_000).toISOString()
    const parts = { audience: { kind: 'query' as const, tags: [tag] }, categoryId: 'chats' }
    const forecastOf = async (more: object) =>
      dryRun(fixture.services, fixture.producer, await createDraft(fixture, { ...parts, ...more }))
    const slow = await forecastOf({ pace: { perMinute: 1 }, expiresAt })
    expect(Date.parse(slow.pace!.lastAt) - Date.now()).toBeGreaterThan(3_590_000)
    expect(slow.warnings.map(({ code }) => code)).toContain('pace_past_expiry')
    const fast = await forecastOf({ pace: { overSeconds: 600 }, expiresAt })
    expect(fast.pace!.perMinute).toBe(7)
    expect(fast.warnings.map(({ code }) => code)).not.toContain('pace_past_expiry')
    expect(await forecastOf({})).not.toHaveProperty('pace')
  })
})

/** The batches that nobody holds, in seconds from now. */
async function openTimes({ waveId }: PlannedSend): Promise<{ size: number; at: number }[]> {
  const { rows } = await sql<{ size: number; at: number }>`
    select size, extract(epoch from not_before - clock_timestamp())::float8 as at
    from batch where wave_id = ${waveId} and state = 'open' and not_before is not null
      and (lease_until is null or lease_until < clock_timestamp())`.execute(database.db)
  return rows
}
