import type { LocalisedText } from '../contract/localised-text.ts'
import type { Action, CanonicalMessage } from '../contract/messages/content.ts'

/**
 * What can be pressed in a message: an action, or an option of a quick reply, with the producer's id. `mutes`: the
 * category that it turns off; `joins`: the group that it adds the person to.
 */
export type Option = { label: LocalisedText; id?: string; mutes?: string; joins?: string }

/**
 * The option or action `o` (in a carousel `card.action`) of the message `n` in a frozen content. Null if it does not
 * exist or is a link, which sends nothing back.
 */
export function findOption(messages: readonly CanonicalMessage[], n: number, o: string): Option | null {
  const message = messages[n]
  const [first, second] = o.split('.').map(Number)
  switch (message?.kind) {
    case 'card':
    case 'buttons':
      return second === undefined ? optionOf(message.actions[first!]) : null
    case 'carousel':
      return second === undefined ? null : optionOf(message.cards[first!]?.actions[second])
    case 'quickReply':
      return (second === undefined && message.options[first!]) || null
    default:
      return null
  }
}

function optionOf(action: Action | undefined): Option | null {
  if (!action || action.kind === 'uri') return null
  const { label } = action
  if (action.kind === 'mute') return { label, mutes: action.categoryId }
  if (action.kind === 'addToGroup') return { label, joins: action.groupId }
  if (action.kind === 'postback' && action.data.o !== undefined) return { label, id: action.data.o }
  if (action.kind === 'nextNode' && action.optionId !== undefined) return { label, id: action.optionId }
  return { label }
}
