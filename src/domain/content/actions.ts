import type { Action, CanonicalMessage } from '../../contract/messages/content.ts'

/** An action of a content, with its path (`messages[0].actions[1]`). */
type PlacedAction = { path: string; action: Action }

/** The actions of a content that can be pressed together: those of a message, or of a card. */
export function actionGroups(messages: readonly CanonicalMessage[]): PlacedAction[][] {
  return messages.flatMap((message, n) => {
    const path = `messages[${n}]`
    switch (message.kind) {
      case 'card':
      case 'buttons':
        return [placed(path, message.actions)]
      case 'carousel':
        return message.cards.map((card, m) => placed(`${path}.cards[${m}]`, card.actions))
      default:
        return []
    }
  })
}

function placed(path: string, actions: Action[]): PlacedAction[] {
  return actions.map((action, m) => ({ path: `${path}.actions[${m}]`, action }))
}

/** An id that an action names, with the path of its field. */
export type ActionReference = { path: string; id: string }

/** The categories that `mute` actions turn off. */
export function mutedCategories(messages: readonly CanonicalMessage[]): ActionReference[] {
  return actionGroups(messages)
    .flat()
    .flatMap(({ path, action }) =>
      action.kind === 'mute' ? [{ path: `${path}.categoryId`, id: action.categoryId }] : [],
    )
}

/** The groups that `addToGroup` actions add people to. */
export function joinedGroups(messages: readonly CanonicalMessage[]): ActionReference[] {
  return actionGroups(messages)
    .flat()
    .flatMap(({ path, action }) =>
      action.kind === 'addToGroup' ? [{ path: `${path}.groupId`, id: action.groupId }] : [],
    )
}

/** The scenarios that `jumpScenario` actions begin. */
export function jumpedScenarios(messages: readonly CanonicalMessage[]): ActionReference[] {
  return actionGroups(messages)
    .flat()
    .flatMap(({ path, action }) =>
      action.kind === 'jumpScenario' ? [{ path: `${path}.scenarioId`, id: action.scenarioId }] : [],
    )
}
