import type { Channel } from '../../contract/enums.ts'
import type { Saying } from './walk.ts'

/** Why what is said reaches nobody: no channel can carry the content, or a question without options its answer. */
export type Unsayable = 'content_violation' | 'not_answerable'

/** The channels that can carry what is said at once, in the order of the plan; a text: why none of them can. */
export type CarriersOf = (says: Saying[]) => Channel[] | Unsayable

/**
 * Whether a node is said in the same turn as what comes before it: if the same channels can carry both, each alone and
 * together. Nothing is then lost by its neighbours; otherwise it begins a turn of its own
 * (docs/decisions/0088-carriers-of-turns.md).
 */
export function saidTogether(turn: Saying[], next: Saying, carriersOf: CarriersOf): boolean {
  if (turn.length === 0) return true
  const [before, alone, together] = [turn, [next], [...turn, next]].map((says) => String(carriersOf(says)))
  return before === alone && before === together
}
