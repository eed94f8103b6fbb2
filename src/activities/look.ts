import type { Db } from '../db/connect.ts'
import { acknowledge, type SeenCard, seeMessage } from '../db/queries/run/look.ts'
import { type Next, nextOf } from '../domain/next.ts'

/** What to do, and what to show of it: only ids, small words, counts and moments. No view: the message is gone. */
export type Look = (Next & { view: SeenCard }) | { do: 'end'; view: null }

/** The poker wakes a run whose step takes longer than this without another look (docs/decisions/0029-runs.md). */
const stepMs = 60_000

export type LookActivities = ReturnType<typeof lookActivities>

/** What a run may read. */
export function lookActivities({ db }: { db: Db }) {
  return { look: (messageId: string) => look(db, messageId) }
}

/**
 * Reads the message by Postgres' clock, decides what its run does next and acknowledges the version it saw. The
 * acknowledgement is one conditional update: where somebody moved the message in between, it is read again.
 */
export async function look(db: Db, messageId: string): Promise<Look> {
  for (;;) {
    const seen = await seeMessage(db, messageId)
    if (!seen) return { do: 'end', view: null }
    const next = nextOf(seen.facts, seen.now)
    const { card } = seen
    if (await acknowledge(db, messageId, card.version, nextLook(next))) return { ...next, view: card }
  }
}

function nextLook(next: Next): { at: string } | { inMs: number } | null {
  if (next.do === 'end') return null
  if (next.do !== 'wait') return { inMs: stepMs }
  return next.until === null ? null : { at: next.until }
}
