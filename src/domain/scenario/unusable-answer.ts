import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Graph } from '../../contract/scenarios/graph.ts'
import type { NodeMessages } from './deliverable-channels.ts'
import type { RunContext } from './values.ts'
import { keep, type NodeError, type Position, type Speech, undeliverableAt, type Walk } from './walk.ts'

/** Stands for the node of the sentence below, which no node says: no node can have this id. */
export const unusableNode = '(unusable)'

const text: LocalisedText = {
  'zh-TW': '不好意思，這個回答沒辦法使用，可能是太長了。請寫短一點，再回答一次。',
  en: 'Sorry, this answer cannot be used. It may be too long: please answer again in fewer words.',
}

/** What is said before a question is asked again because of its answer. */
export function unusableSays(): NodeMessages {
  return { node: unusableNode, messages: [{ kind: 'text', text }] }
}

/** An answer that every text can carry. */
const short = '…'

/**
 * What a run cannot say because a text repeats the answer that it has just heard, for example one of 5,000 characters; null:
 * it can say all of it, or could not with another answer either. `way`: from the answer at `from`. Only what a person
 * typed is judged, since the author has chosen the options. Pure.
 */
export function unusableAnswer(
  graph: Graph,
  { node: id, outcome }: Position,
  { fails, values }: Walk,
  context: RunContext,
  speech: Speech,
): NodeError | null {
  const question = graph.nodes.find((node) => node.id === id)
  if (fails?.reason !== 'content_violation' || outcome?.kind !== 'text' || !question) return null
  const shortened = keep(question, { kind: 'text', text: short }, values)
  return undeliverableAt(graph, fails.node, shortened, context, speech) === null ? fails : null
}
