import type { Snapshot } from './audience.ts'

/** An audience may grow by this share, or by this many people, before the message returns to review. */
const freeGrowth = { share: 0.1, people: 50 }

/**
 * Whether the audience has drifted from the approved snapshot (docs/decisions/0030-drafts.md): it exceeds both limits.
 */
export function hasDrifted(approved: Snapshot['recipients'], counted: Snapshot['recipients']): boolean {
  const grown = counted.total - approved.total
  return grown > freeGrowth.people && grown > approved.total * freeGrowth.share
}
