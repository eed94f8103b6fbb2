import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import { findOption, type Option } from './option.ts'

/** What can be answered in a content, in the order in which it stands there; an id once. */
export function optionsOf(messages: readonly CanonicalMessage[]): Option[] {
  return [...new Map(everyOption(messages).map((option) => [option.id, option])).values()]
}

/** A question, as it stands above a column of answers; `id`: its place in a message, or the name of a node. */
export type Question = { id: string; text: LocalisedText; options: { id: string; label: LocalisedText }[] }

/** What a content asks, in the order in which it stands there. */
export function questionsIn(messages: readonly CanonicalMessage[]): Question[] {
  const byQuestion = Map.groupBy(everyOption(messages), ({ question }) => question)
  return [...byQuestion].map(([id, options]) => ({ id, text: options[0]!.asks, options }))
}

function everyOption(messages: readonly CanonicalMessage[]): Option[] {
  return messages
    .flatMap((message, n) => placesIn(message).map((o) => findOption(messages, n, o)))
    .filter((option) => option !== null)
}

function placesIn(message: CanonicalMessage): string[] {
  switch (message.kind) {
    case 'card':
    case 'buttons':
      return message.actions.map((_, n) => String(n))
    case 'quickReply':
      return message.options.map((_, n) => String(n))
    case 'carousel':
      return message.cards.flatMap((card, c) => card.actions.map((_, n) => `${c}.${n}`))
    default:
      return []
  }
}
