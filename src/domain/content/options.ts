import type { CanonicalMessage } from '../../contract/messages/content.ts'
import { findOption, type Option } from './option.ts'

/** What can be answered in a content, in the order in which it stands there; an id once. */
export function optionsOf(messages: readonly CanonicalMessage[]): Option[] {
  const options = messages.flatMap((message, n) => placesIn(message).map((o) => findOption(messages, n, o)))
  const byId = new Map(options.filter((option) => option !== null).map((option) => [option.id, option]))
  return [...byId.values()]
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
