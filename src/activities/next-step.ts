import type { Channel } from '../contract/enums.ts'
import { observeMessage, type RunView, recordObservedMessage } from '../db/queries/run/observe.ts'
import type { NextWakeup } from '../db/queries/run/observed-version.ts'
import { decideNextStep, type NextStep } from '../domain/message/next-step.ts'
import { countRunEnd } from '../metrics/runs.ts'
import type { Services } from '../services/context.ts'

/** The next step and what the Temporal UI shows of it: ids, enum values, counts and times only. No view: no message. */
export type ObservedStep = ((NextStep & { view: RunView }) | { do: 'end'; view: null }) & {
  /** The channel of the step is quick: a local activity may take it. */
  quick?: true
  /** The signals that the audit log does not bear out, by name. */
  unconfirmed?: string[]
}

/** The reconciler wakes a run that has not observed its row for this long (docs/design/rows-and-runs.md). */
export const stepLimitMs = 60_000

/**
 * Reads the message by Postgres' clock, decides what its run does next and records the version it observed. Recording
 * is one conditional update: if the message has moved in between, the row is read again. A small wave on a quick channel
 * is recorded with its first move.
 */
export async function nextStep(
  { db, quotaTimeZone }: Pick<Services, 'db' | 'quotaTimeZone'>,
  messageId: string,
  isQuick: (channel: Channel) => boolean = () => false,
): Promise<ObservedStep> {
  for (;;) {
    const seen = await observeMessage(db, messageId, quotaTimeZone)
    if (!seen) return { do: 'end', view: null }
    const next = decideNextStep(seen.facts, seen.now)
    const { view } = seen
    if (next.do === 'sendInOneStep' && isQuick(next.channel)) return { ...next, quick: true, view }
    const stepParked = next.do === 'wait' && next.for === 'retry'
    const isRecorded =
      seen.isRecorded ||
      (await recordObservedMessage(db, messageId, view.version, nextWakeup(next), { stepParked }))
    if (!isRecorded) continue
    if (next.do === 'end' && !seen.isRecorded) countRunEnd('message', view.state)
    return { ...next, view }
  }
}

function nextWakeup(next: NextStep): NextWakeup {
  if (next.do === 'end') return null
  if (next.do !== 'wait') return { inMs: stepLimitMs }
  return next.until === null ? null : { at: next.until }
}
