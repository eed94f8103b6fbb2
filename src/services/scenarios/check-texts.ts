import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { ScenarioContent } from '../../contract/scenarios/content.ts'
import type { ScenarioNode } from '../../contract/scenarios/graph.ts'
import type { Db } from '../../db/connect.ts'
import type { Category } from '../../db/queries/catalogue/category.ts'
import { findSendingUnit } from '../../db/queries/identity/unit.ts'
import type { Violation } from '../../domain/audience/audience.ts'
import { contentViolations } from '../../domain/content/content-check.ts'
import { farewellContent } from '../../domain/scenario/farewell.ts'
import { measurable } from '../../domain/scenario/measured-text.ts'
import { textsOf } from '../../domain/scenario/node-texts.ts'
import { mayShowBelow } from '../../domain/scenario/question.ts'
import type { Services } from '../context.ts'
import { compileFor } from '../messages/prepare.ts'
import { validationError } from '../validation-error.ts'
import { contentViolation } from './check-content.ts'

/** The scenario that says a text, its unit, and the category whose channels carry it. */
type CheckedScenario = { id: string; unitId: string; name: string; category: Category }

/**
 * Checks what a version says when it is to come in force: its Liquid is parsed, and its texts are measured against the
 * limits of every channel of its category. What variables make of them is checked when they are sent.
 * @throws ServiceError validation_error for invalid Liquid, content_violation, not_configured; RetryLater
 */
export async function checkTexts(
  services: Services,
  db: Db,
  scenario: CheckedScenario,
  { nodes, farewell }: Pick<ScenarioContent, 'nodes' | 'farewell'>,
): Promise<void> {
  const texts = textsOf(nodes)
  const faults = await services.rendering.run(scenario.unitId, 'checkScenario', { nodes })
  if (faults.length > 0) throw validationError(faults)
  const violations = await violationsOf(services, db, scenario, [...texts, ...farewellIn(farewell)])
  if (violations.length > 0) throw contentViolation(violations)
}

/** The farewell, as it is measured. It has no variables. */
function farewellIn(text: LocalisedText | undefined): Measured[] {
  if (text === undefined) return []
  const at = (path: string) => path.replace('messages[0].text', 'farewell')
  return [{ messages: farewellContent(text), at }]
}

/** `node`: that says it; none of a farewell. */
type Measured = { node?: ScenarioNode; messages: CanonicalMessage[]; at: (path: string) => string }

async function violationsOf(
  services: Services,
  db: Db,
  { id, unitId, name, category }: CheckedScenario,
  texts: readonly Measured[],
): Promise<Violation[]> {
  const unit = await findSendingUnit(db, unitId)
  const around = {
    id,
    subject: { 'zh-TW': name },
    unit,
    categoryId: category.id,
    category: category.name,
    unsubscribe: category.layer !== 'mandatory',
    wave: 'only' as const,
  }
  return texts.flatMap(({ node, messages, at }) => {
    const content = { ...around, messages: measurable(messages), quickReplies: mayShowBelow(node) }
    const { violations } = compileFor(services.channels, category.channelPlan.channels, content)
    const allViolations = [...contentViolations({ messages, subject: null }), ...violations]
    return allViolations.map((violation) => ({ ...violation, path: at(violation.path) }))
  })
}
