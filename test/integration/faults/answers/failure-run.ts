import { sql } from 'kysely'
import { expect } from 'vitest'
import { finishWave } from '../../../../src/activities/delivery/finish-wave.ts'
import { sendSlice } from '../../../../src/activities/delivery/send-slice.ts'
import { sendSmallWave } from '../../../../src/activities/delivery/send-small-wave.ts'
import type { Channel } from '../../../../src/contract/enums.ts'
import { getMessage } from '../../../../src/services/messages/read.ts'
import { categoryBy, type FarEndDelivery, withFarEnds } from '../../../fixtures/delivery.ts'
import { activityAttempt } from '../../../fixtures/delivery-steps.ts'
import { brokenInvariants } from '../../../fixtures/invariants.ts'
import type { MessageFixture } from '../../../fixtures/message-fixture.ts'
import { addRecipients } from '../../../fixtures/recipients.ts'
import { selectRows } from '../../../fixtures/rows.ts'
import { approvedSend, begin, type PlannedSend } from '../../../fixtures/sends.ts'
import { countsOf } from '../counts.ts'
import type { FaultName } from '../faults.ts'
import { type ProviderFault, providerFaults } from './provider-faults.ts'

/** Runs of messages, stepped on the test's clock, one of which has a failing recipient. */

export type Person = { subjectId: string; address: string }

/** A message of a test; `small` ones go out in one step. `people`: in the order in which they are sent to. */
export type Run = PlannedSend & { channel: Channel; small: boolean; people: Person[] }

/** On the test's own clock. */
export const [minutes, hours] = [60_000, 3_600_000]
/** By then every other recipient must have been sent to, and the failing one must have an outcome. */
export const limits = { othersMs: 10 * minutes, endMs: 30 * hours }

const shares = { first: 0, middle: 0.5, last: 1 } as const
export type Position = keyof typeof shares
const positions = ['first', 'middle', 'last'] as const satisfies Position[]
export type Size = 'small' | 'large'
export const sizes: Record<Channel, Record<Size, number>> = {
  chat: { small: 6, large: 510 },
  email: { small: 6, large: 70 },
}

/** An approved message to `size` people on one channel. They share one locale, so that each size fills its batches. */
export async function planRun(
  fixture: MessageFixture,
  channel: Channel,
  size: number,
  small: boolean,
): Promise<Run> {
  const { db } = fixture
  const tag = await addRecipients(db, size, [channel])
  const { rows } = await sql<Person>`
    update subject set locale = 'en' from address where subject_id = id and tags @> array[${tag}]
    returning id as "subjectId", address`.execute(db)
  const people = rows.toSorted((a, b) => (a.subjectId < b.subjectId ? -1 : 1))
  const sending = await approvedSend(fixture, tag, { categoryId: categoryBy[channel] })
  return { ...sending, channel, small, people }
}

export function personAt({ people }: Run, position: Position): Person {
  return people[Math.round(shares[position] * (people.length - 1))]!
}

/** Steps every run in turn until `until` holds; returns how long that took on the test's clock. */
export async function play(
  fixture: FarEndDelivery,
  runs: Run[],
  until: () => Promise<boolean>,
  limitMs: number,
): Promise<number> {
  const closed = new Set<Run>()
  const begun = fixture.clock.offsetMs
  while (!(await until())) {
    const waits: number[] = []
    for (const run of runs) {
      if (closed.has(run)) continue
      const waitMs = await stepOnce(fixture, run)
      if (waitMs === null) closed.add(run)
      else waits.push(waitMs)
    }
    if (closed.size === runs.length)
      expect(await until(), 'what is waited for, as every run has ended').toBe(true)
    expect(fixture.clock.offsetMs - begun).toBeLessThan(limitMs)
    const next = Math.min(...waits)
    if (Number.isFinite(next) && next > 0) await letPass(fixture, next)
  }
  return fixture.clock.offsetMs - begun
}

/** One step of a message's run. Answers for how long (ms) there is nothing to do; null: it is closed. */
async function stepOnce(
  { delivery }: FarEndDelivery,
  { id, waveId, channel, small }: Run,
): Promise<number | null> {
  if (small) {
    const { more, waitMs, closed } = await sendSmallWave(delivery, activityAttempt(), id, channel)
    return closed ? null : more ? waitMs : 1_000
  }
  await begin({ delivery }, { id })
  const { more, waitMs } = await sendSlice(delivery, activityAttempt(), waveId, channel)
  if (more) return waitMs
  return (await finishWave(delivery, activityAttempt(), id)).closed ? null : 1_000
}

/** Advances the clock by moving all times in the rows back. */
async function letPass({ db, clock }: FarEndDelivery, ms: number): Promise<void> {
  const by = sql`${ms} * interval '1 ms'`
  await sql`
    update batch set not_before = not_before - ${by}, failing_since = failing_since - ${by} where state = 'open'`.execute(
    db,
  )
  await sql`update wave set probe_at = probe_at - ${by}, parked_at = parked_at - ${by} where parked is not null`.execute(
    db,
  )
  await sql`update channel_rest set until = until - ${by}, probe_at = probe_at - ${by}`.execute(db)
  await sql`update call set first_try_at = first_try_at - ${by} where state = 'open'`.execute(db)
  clock.offsetMs += ms
}

/** The deliveries of a message by subject: `state reason`. */
export async function outcomesOf({ db }: MessageFixture, { waveId }: Run): Promise<Map<string, string>> {
  const rows = await selectRows(db, 'delivery', { wave_id: waveId }, ['subject_id', 'state', 'reason'])
  return new Map(
    rows.map(({ subject_id, state, reason }) => [subject_id, reason ? `${state} ${reason}` : state]),
  )
}

export function readMessage(fixture: MessageFixture, { id }: Run) {
  return getMessage(fixture.services, fixture.editor, id)
}

export async function isClosed(fixture: MessageFixture, run: Run): Promise<boolean> {
  return (await readMessage(fixture, run)).closedAt !== null
}

/** The rows of docs/reliability.md. */
const faultBy = { chat: 'chatAnswers', email: 'mailAnswers' } as const satisfies Record<Channel, FaultName>

/**
 * Each failure of a channel in a message of each size: in full counts at each position, else at one that moves on from
 * case to case, so that each position meets each size.
 */
export function casesOf(channel: Channel) {
  const { 'positions each': count } = countsOf(faultBy[channel])
  return providerFaults[channel].flatMap((fault, index) =>
    (['small', 'large'] as const).flatMap((size, shift) =>
      Array.from({ length: count }, (_, more) => ({
        fault,
        what: fault.name,
        at: positions[(index + shift + more) % positions.length]!,
        size,
      })),
    ),
  )
}

/** One recipient fails permanently: they get an outcome, and all others are sent to once and in time. */
export async function expectOthersUndelayed(
  shared: MessageFixture,
  channel: Channel,
  { fault, at, size }: { fault: ProviderFault; at: Position; size: Size },
): Promise<void> {
  const fixture = await withFarEnds(shared, fault.timeoutMs)
  const failing = await planRun(fixture, channel, sizes[channel][size], size === 'small')
  const others = await planRun(fixture, channel, 3, true)
  const bad = personAt(failing, at)
  await fault.plant(fixture, bad)
  const good = failing.people.filter((person) => person !== bad)
  await playToTheEnd(fixture, { failing, others, good, together: fault.together })

  const outcomes = await outcomesOf(fixture, failing)
  expect(outcomes.get(bad.subjectId)).toBe(fault.ends)
  const goodEnds = new Set(good.map(({ subjectId }) => outcomes.get(subjectId)))
  expect([...goodEnds].filter((outcome) => outcome !== fault.together)).toEqual(
    fault.together && goodEnds.size === 1 ? [] : ['sent'],
  )
  const sentAddresses = await fixture.sentAddresses()
  expect(sentAddresses.length).toBe(new Set(sentAddresses).size)
  const { state, parked, problem } = await readMessage(fixture, failing)
  expect({ state, parked, problem }).toEqual({ state: 'sent', parked: null, problem: undefined })
  const broken = await brokenInvariants(fixture.db, { runs: false })
  expect(broken).toEqual([])
}

type Play = { failing: Run; others: Run; good: Person[]; together: string | undefined }

/** Other messages start and end as usual until the failing one ends. */
async function playToTheEnd(fixture: FarEndDelivery, { failing, others, good, together }: Play) {
  const settledGood = async () => {
    const outcomes = await outcomesOf(fixture, failing)
    const states = good.map(({ subjectId }) => outcomes.get(subjectId))
    return states.every((state) => state === 'sent' || (together !== undefined && state !== undefined))
  }
  await play(fixture, [failing, others], settledGood, limits.othersMs)
  while (!(await isClosed(fixture, failing))) {
    await letPass(fixture, 4 * hours)
    const later = await planRun(fixture, failing.channel, 1, true)
    const isLaterSent = async () => [...(await outcomesOf(fixture, later)).values()].join() === 'sent'
    await play(fixture, [failing, later], isLaterSent, limits.othersMs)
    await play(fixture, [failing], async () => (await stepOnce(fixture, failing)) !== 0, limits.othersMs)
    expect(fixture.clock.offsetMs).toBeLessThan(limits.endMs)
  }
}
