import type { Db } from '../db/connect.ts'
import { observeMessage, type RunView, recordObservedVersion } from '../db/queries/run/observe.ts'
import { decideNextStep, type NextStep } from '../domain/next-step.ts'

/** What to do, and what to show of it: only ids, small words, counts and moments. No view: the message is gone. */
export type ObservedStep = (NextStep & { view: RunView }) | { do: 'end'; view: null }

/** The poker wakes a run whose step takes longer than this without another look (docs/decisions/0029-runs.md). */
const stepLimitMs = 60_000

export type NextStepActivities = ReturnType<typeof nextStepActivities>

/** What a run may read. */
export function nextStepActivities({ db }: { db: Db }) {
  return { look: (messageId: string) => nextStep(db, messageId) }
}

/**
 * Reads the message by Postgres' clock, decides what its run does next and acknowledges the version it saw. The
 * acknowledgement is one conditional update: where somebody moved the message in between, it is read again.
 */
export async function nextStep(db: Db, messageId: string): Promise<ObservedStep> {
  for (;;) {
    const seen = await observeMessage(db, messageId)
    if (!seen) return { do: 'end', view: null }
    const next = decideNextStep(seen.facts, seen.now)
    const { card } = seen
    if (await recordObservedVersion(db, messageId, card.version, nextWakeup(next)))
      return { ...next, view: card }
  }
}

function nextWakeup(next: NextStep): { at: string } | { inMs: number } | null {
  if (next.do === 'end') return null
  if (next.do !== 'wait') return { inMs: stepLimitMs }
  return next.until === null ? null : { at: next.until }
}
