import type { LinkedTurn } from '../../db/queries/scenario-run/linked-turn.ts'
import { findOption, type Option } from '../../domain/content/option.ts'
import type { NodeMessages } from '../../domain/scenario/deliverable-channels.ts'

/** A button in the mail of a turn, and the node that showed it. */
export type TurnButton = { node: string; option: Option }

/** The button of a link, by its message's index among all that the turn said; null: none. */
export function findTurnButton({ says }: LinkedTurn, n: number, o: string): TurnButton | null {
  return findButton(says ?? [], n, o)
}

/** The same of what a turn says. */
export function findButton(says: NodeMessages[], n: number, o: string): TurnButton | null {
  const message = placeIn(says, n)
  const option = message && findOption(message.messages, message.n, o)
  return option ? { node: message.node, option } : null
}

/** A run numbers the messages of each node by themselves, as the chat does. */
function placeIn(says: NodeMessages[], n: number): (NodeMessages & { n: number }) | null {
  let before = 0
  for (const saying of says) {
    if (n < before + saying.messages.length) return { ...saying, n: n - before }
    before += saying.messages.length
  }
  return null
}
