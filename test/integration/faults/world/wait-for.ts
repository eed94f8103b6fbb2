import { sql } from 'kysely'
import { expect } from 'vitest'
import type { MessageState } from '../../../../src/contract/enums.ts'
import { eventually } from '../../../harness/eventually.ts'
import type { Installation } from './installation.ts'
import { accepted } from './journal.ts'
import type { PlannedMessage } from './producer.ts'

// A limit (ms) is the documented one, or what an idle machine needs; `eventually` waits a multiple of it.

/** A limit for tests that check the outcome, not the time. */
const closingMs = 40_000

/** Waits until messages are closed in this state, with all expected recipients counted as sent. */
export async function untilSent(
  installation: Installation,
  messages: PlannedMessage[],
  limitMs = closingMs,
): Promise<void> {
  await untilClosed(installation, messages, 'sent', limitMs)
  const rows = await statesOf(installation, messages)
  for (const { id, crowd } of messages)
    expect(rows.get(id), `message ${id}`).toMatchObject({ sent: crowd.recipients.length })
}

/** Waits until messages are closed, all in this state. */
export async function untilClosed(
  installation: Installation,
  messages: PlannedMessage[],
  state: MessageState,
  limitMs = closingMs,
): Promise<void> {
  await eventually(
    async () => {
      const rows = await statesOf(installation, messages)
      for (const { id } of messages)
        expect(rows.get(id), `message ${id}`).toMatchObject({ state, closed: true })
    },
    { limitMs },
  )
}

/** Waits until the runs of messages have observed their rows. Returns how long that took (ms). */
export async function untilObserved(
  installation: Installation,
  messages: PlannedMessage[],
  limitMs: number,
): Promise<number> {
  const begun = performance.now()
  await eventually(
    async () => {
      const rows = await statesOf(installation, messages)
      expect(messages.filter(({ id }) => !rows.get(id)?.seen).map(({ id }) => id)).toEqual([])
    },
    { limitMs },
  )
  return performance.now() - begun
}

/** Waits until more of a message was sent than `before`, or it is closed. `sentOf` counts what was sent. */
export async function untilContinued(
  installation: Installation,
  message: PlannedMessage,
  { before, sentOf, limitMs }: { before: number; sentOf: () => number; limitMs: number },
): Promise<void> {
  await eventually(
    async () => {
      const state = (await statesOf(installation, [message])).get(message.id)
      if (!state?.closed) expect(sentOf()).toBeGreaterThan(before)
    },
    { limitMs },
  )
}

/** Waits until `count` recipients of a message were sent to. */
export async function untilSentTo(
  installation: Installation,
  message: PlannedMessage,
  people: number,
): Promise<void> {
  await eventually(() => expect(sentCount(installation, message)).toBeGreaterThanOrEqual(people), {
    limitMs: closingMs,
  })
}

/** How many recipients of a message were sent to so far. */
export function sentCount(installation: Installation, { marker }: PlannedMessage): number {
  const calls = accepted(installation.simulator.journal()).filter((call) => call.marker === marker)
  return calls.reduce((sum, { to }) => sum + to.length, 0)
}

export type MessageStatus = {
  id: string
  state: MessageState
  closed: boolean
  seen: boolean
  sent: number | null
}

/** The states of messages, by id. */
export async function statesOf(
  { db }: Installation,
  messages: PlannedMessage[],
): Promise<Map<string, MessageStatus>> {
  const { rows } = await sql<MessageStatus>`
    select message.id, message.state, closed_at is not null as closed, observed_version = version as seen, wave.sent
    from message left join wave on wave.message_id = message.id and wave.number = 0
    where message.id = any(${messages.map(({ id }) => id)}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
