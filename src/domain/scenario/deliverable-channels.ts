import type { Channel, TurnChannel } from '../../contract/enums.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Violation } from '../audience/audience.ts'

/** What one node says, rendered. */
export type NodeMessages = { node: string; messages: CanonicalMessage[] }

/** What is wrong with one text. `variable`: the one without a value. `channel`: the one that cannot carry it. */
export type TextFault = Violation & { variable?: string; channel?: Channel }

/**
 * Why what is said reaches nobody: no channel can carry the content, or a question without options its answer. The paths of
 * the faults lead into what is said.
 */
export type Undeliverable = { reason: 'content_violation' | 'not_answerable'; faults: TextFault[] }

/** The channels that can carry what is said at once, in the order of the plan, or why none of them can. */
export type DeliverableChannels = (says: NodeMessages[]) => TurnChannel[] | Undeliverable

/**
 * Whether a node is said in the same turn as what comes before it: if the same channels can carry both, each alone and
 * together. Nothing is then lost by its neighbours; otherwise it begins a turn of its own
 * (docs/design/conversations.md).
 */
export function sentTogether(
  turn: NodeMessages[],
  next: NodeMessages,
  channelsFor: DeliverableChannels,
): boolean {
  if (turn.length === 0) return true
  const [before, alone, together] = [turn, [next], [...turn, next]].map((says) => {
    const carriers = channelsFor(says)
    return Array.isArray(carriers) ? carriers.join() : carriers.reason
  })
  return before === alone && before === together
}
