import type { HandoffDetail } from '../../contract/handoffs.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { ScenarioRunDetail } from '../../contract/scenarios/records.ts'
import { findReach, type Reach } from '../../db/queries/handoff/reply.ts'
import { findUnit, type Unit } from '../../db/queries/identity/unit.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import { optionsOf } from '../../domain/scenario/question.ts'
import { namesOf } from '../approvals/names.ts'
import type { Services } from '../context.ts'
import { getRun } from '../scenario-runs/records.ts'
import { orNotFound } from '../unit-access.ts'
import { getHandoff } from './records.ts'

/** A handoff as the people of its unit answer it. */
export type HandoffView = {
  handoff: HandoffDetail
  unit: Unit
  /** The name of the scenario; null: the assistant opened it. */
  scenario: string | null
  reach: Reach
  /**
   * What was said in its scenario before, oldest first; null: there is none, or the reader may not read what was
   * answered.
   */
  before: Spoken[] | null
}

/** What one side said: the unit messages, the person a text or the label of an option. */
type Spoken = { at: string } & (
  | { from: 'unit'; messages: CanonicalMessage[] }
  | { from: 'person'; text: LocalisedText }
)

/**
 * Everything that a person of the unit needs to answer. The audit log records who read it.
 * @throws ServiceError not_found
 */
export async function viewHandoff(
  services: Services,
  principal: PersonPrincipal,
  id: string,
): Promise<HandoffView> {
  const { db } = services
  const handoff = await getHandoff(services, principal, id)
  const { unitId, scenarioId, runId = null } = handoff
  const named = scenarioId === null ? [] : [scenarioId]
  const names = await namesOf(db, unitId, { groups: [], scenarios: named })
  return {
    handoff,
    unit: orNotFound(await findUnit(db, unitId), 'unit'),
    scenario: scenarioId === null ? null : (names.get(scenarioId) ?? scenarioId),
    reach: await findReach(db, handoff.id),
    before: runId === null ? null : spokenIn(await getRun(services, principal, runId)),
  }
}

/** What was said in a run, oldest first. */
function spokenIn({ turns, answers = [] }: ScenarioRunDetail): Spoken[] {
  const ofUnit = turns.flatMap(({ says, closedAt, state }): Spoken[] => {
    if (!says || closedAt === null || (state !== 'sent' && state !== 'unknown')) return []
    return [{ from: 'unit', at: closedAt, messages: says.flatMap(({ messages }) => messages) }]
  })
  const nodes = turns.flatMap(({ says }) => says ?? [])
  const ofPerson = answers.flatMap(({ node, optionId, text, at }): Spoken[] => {
    const options = nodes
      .filter((one) => one.node === node)
      .flatMap(({ messages }) => messages.flatMap(optionsOf))
    const label = options.find(({ id }) => id === optionId)?.label
    const words = text === null ? (label ?? null) : { 'zh-TW': text }
    return words === null ? [] : [{ from: 'person', at, text: words }]
  })
  return [...ofUnit, ...ofPerson].sort((one, other) => one.at.localeCompare(other.at))
}
