import type { ApprovalKind, Locale } from '../../../contract/enums.ts'
import type { CanonicalMessage } from '../../../contract/messages/content.ts'
import { actionGroups } from '../../../domain/content/actions.ts'
import { mayBeWebUrl } from '../../../domain/content/web-link.ts'
import { textsOf } from '../../../domain/scenario/node-texts.ts'
import type { ViewHead } from '../../../services/approvals/kind.ts'
import type { ScenarioSide } from '../../../services/approvals/scenarios.ts'
import { factWords } from './words.ts'

/** Where the web links of a content really lead, if not to what its buttons say. */
export function linkLines(
  locale: Locale,
  { trackedAddress }: ViewHead<ApprovalKind>,
  messages: readonly CanonicalMessage[],
): string[] {
  return trackedAddress !== null && hasWebLinks(messages) ? [factWords[locale].tracked(trackedAddress)] : []
}

/** Turns are not tracked, whatever their category says. */
export function turnLinkLines(
  locale: Locale,
  { trackedAddress }: ViewHead<ApprovalKind>,
  { content }: ScenarioSide,
): string[] {
  const messages = textsOf(content.nodes).flatMap((text) => text.messages)
  return trackedAddress !== null && hasWebLinks(messages) ? [factWords[locale].untrackedTurns] : []
}

function hasWebLinks(messages: readonly CanonicalMessage[]): boolean {
  return actionGroups(messages)
    .flat()
    .some(({ action }) => action.kind === 'uri' && mayBeWebUrl(action.url))
}
