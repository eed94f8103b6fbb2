import type { Snapshot } from './audience.ts'

/** An audience may grow by this share, or by this many people, before somebody has to look at the message again. */
const freeGrowth = { share: 0.1, people: 50 }

/** Has the audience outgrown the approved snapshot (docs/decisions/0030-drafts.md)? Both limits must be passed. */
export function hasDrifted(approved: Snapshot['recipients'], counted: Snapshot['recipients']): boolean {
  const grown = counted.total - approved.total
  return grown > freeGrowth.people && grown > approved.total * freeGrowth.share
}
