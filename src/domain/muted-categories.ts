import type { Action, CanonicalMessage } from '../contract/messages/content.ts'

/** The categories that `mute` actions turn off, each with the action's path (`[0].actions[1]`). */
export function mutedCategories(
  messages: readonly CanonicalMessage[],
): { path: string; categoryId: string }[] {
  return messages
    .flatMap(actionsOf)
    .flatMap(({ path, action }) => (action.kind === 'mute' ? [{ path, categoryId: action.categoryId }] : []))
}

function actionsOf(message: CanonicalMessage, n: number): { path: string; action: Action }[] {
  const under = (path: string, actions: Action[]) =>
    actions.map((action, m) => ({ path: `${path}.actions[${m}]`, action }))
  switch (message.kind) {
    case 'card':
    case 'buttons':
      return under(`[${n}]`, message.actions)
    case 'carousel':
      return message.cards.flatMap((card, m) => under(`[${n}].cards[${m}]`, card.actions))
    default:
      return []
  }
}
