import type { ActivationReason, ApprovalRule } from '../../contract/enums.ts'
import type { ScenarioTriggers } from '../../contract/scenarios/content.ts'
import { normaliseText } from '../lib/normalise-text.ts'

/**
 * Why a person decides about the activation of a version; null: it is in force at once
 * (docs/design/scenarios.md).
 */
export function activationReason(
  { approvalRule }: { approvalRule: ApprovalRule },
  triggers: ScenarioTriggers | null | undefined,
): ActivationReason | null {
  if (approvalRule !== 'auto') return 'category_not_auto'
  return triggersOf(triggers).length > 0 ? 'has_triggers' : null
}

/** The triggers that answer every person of the chat account; only an administrative unit may use them. */
export const administrativeTriggers = ['follow', 'otherwise'] as const

/** The triggers of a version as they are claimed, each once: `follow`, `otherwise`, and `keyword:` with the normalised text. */
export function triggersOf(triggers: ScenarioTriggers | null | undefined): string[] {
  const keywords = (triggers?.keywords ?? []).map((keyword) => `keyword:${normaliseText(keyword)}`)
  const named = administrativeTriggers.filter((trigger) => triggers?.[trigger])
  return [...new Set([...named, ...keywords])]
}
