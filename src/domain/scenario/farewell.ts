import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { NodeMessages } from './deliverable-channels.ts'

/** The reason of runs that end because their scenario is retired. */
export const retired = 'retired'

/** Stands for the node of a farewell, which no node says: no node can have this id. */
export const farewellNode = '(farewell)'

/** What a run of a retired scenario says as its last. */
export function farewellMessages(text: LocalisedText): NodeMessages[] {
  return [{ node: farewellNode, messages: farewellContent(text) }]
}

/** A farewell as the message that it is said as. */
export function farewellContent(text: LocalisedText): CanonicalMessage[] {
  return [{ kind: 'text', text }]
}
