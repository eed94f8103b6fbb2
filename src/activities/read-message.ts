import type { Channel } from '../contract/enums.ts'
import type { Db } from '../db/connect.ts'
import { findAuditedMoves } from '../db/queries/audit/audit.ts'
import { observeMessage, type RunView, recordObservedMessage } from '../db/queries/run/observe.ts'
import type { NextWakeup } from '../db/queries/run/observed-version.ts'
import { type MessageFacts, messageFacts, nextLook } from '../domain/message/run-facts.ts'
import { unconfirmed } from '../domain/message/signals-of-moves.ts'
import type { RunSignal } from '../domain/run/signals.ts'
import { countRunEnd } from '../metrics/runs.ts'
import type { Services } from '../services/context.ts'

/** A message as its run reads it: ids, enum values, counts and times only. */
export type MessageReading = RunView & {
  /** The signals that the audit log does not bear out, by name. */
  unconfirmed?: string[]
  /** Of a step that has read it: how many calls of the provider it made. */
  calls?: number
} & (ClosedMessage | OpenMessage)

/** Nothing can happen to the message any more. */
type ClosedMessage = { closed: true }
/** `quick`: the channel of its small wave is: a local activity may send it. */
type OpenMessage = { closed: false; quick: boolean } & MessageFacts

/** The reconciler wakes a run that has not observed its row for this long (docs/design/rows-and-runs.md). */
export const stepLimitMs = 60_000

/**
 * Reads a message for its run by Postgres' clock, and records the version that was read and when the run looks again.
 * Recording is one conditional update: if the message has moved in between, the row is read again. A small wave on a quick
 * channel is recorded with its first move. `told`: the signals that came since. Null: there is no such message.
 */
export async function readMessage(
  { db, quotaTimeZone }: Pick<Services, 'db' | 'quotaTimeZone'>,
  messageId: string,
  {
    told = [],
    isQuick = () => false,
  }: { told?: readonly RunSignal<'message'>[]; isQuick?: (channel: Channel) => boolean } = {},
): Promise<MessageReading | null> {
  for (;;) {
    const observation = await observeMessage(db, messageId, quotaTimeZone)
    if (!observation) return null
    const { now, view, closed } = observation
    const facts = messageFacts(observation.stored, now)
    const quick = facts.small !== null && facts.retryAt === null && isQuick(facts.small)
    const next = closed ? null : nextLook(view.state, facts)
    const isRecorded =
      observation.isRecorded || (quick && !closed) || (await record(db, messageId, view.version, next, facts))
    if (!isRecorded) continue
    if (closed && !observation.isRecorded) countRunEnd('message', view.state)
    const heard = told.length > 0 ? { unconfirmed: await unconfirmedOf(db, messageId, told) } : {}
    return closed ? { ...view, ...heard, closed } : { ...view, ...heard, closed, quick, ...facts }
  }
}

function record(
  db: Db,
  id: string,
  version: number,
  next: ReturnType<typeof nextLook>,
  { retryAt }: MessageFacts,
): Promise<boolean> {
  const wakeup: NextWakeup =
    next === 'soon' ? { inMs: stepLimitMs } : next === null ? null : { at: new Date(next).toISOString() }
  return recordObservedMessage(db, id, version, wakeup, { stepParked: retryAt !== null })
}

/** Which of these signals tell of nothing that has happened, by name. */
async function unconfirmedOf(
  db: Db,
  messageId: string,
  told: readonly RunSignal<'message'>[],
): Promise<string[]> {
  const versions = told.flatMap(({ version }) => (version === undefined ? [] : [version]))
  return unconfirmed(told, versions.length > 0 ? await findAuditedMoves(db, messageId, versions) : [])
}
