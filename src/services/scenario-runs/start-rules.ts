import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { broken } from '../../contract/rules.ts'
import type { TemplateVariable } from '../../contract/templates/template.ts'
import type { Db, Trx } from '../../db/connect.ts'
import type { AudienceSpec } from '../../db/queries/audience/rows.ts'
import { type Category, findCategory } from '../../db/queries/catalogue/category.ts'
import { findScenarioInForce, type ScenarioInForce } from '../../db/queries/scenario/scenario.ts'
import { countReached, hasMoreOpenRuns } from '../../db/queries/scenario-run/start.ts'
import type { Audience } from '../../domain/audience/audience.ts'
import { hasInexactNumber } from '../../domain/lib/json-values.ts'
import { startVariables } from '../../domain/scenario/start-variables.ts'
import { validationError } from '../validation-error.ts'

/** A scenario that can start, and its category. */
export type Startable = { scenario: ScenarioInForce; category: Category }

/**
 * The version in force of a scenario that can start now.
 * @throws ServiceError invalid_transition if it is a draft, paused or retired, or its category is disabled
 */
export async function startable(db: Db, scenarioId: string): Promise<Startable> {
  const scenario = await findScenarioInForce(db, scenarioId)
  if (!scenario)
    throw notStartable('draft', 'No version of this scenario is in force yet. Activate it first.')
  if (scenario.state === 'paused') throw notStartable('paused', 'This scenario is paused. Resume it first.')
  if (scenario.state !== 'active')
    throw notStartable(scenario.state, `This scenario is ${scenario.state} and starts nothing.`)
  const category = await findCategory(db, scenario.categoryId)
  if (!category?.enabled)
    throw notStartable('disabled', `The category ${scenario.categoryId} of this scenario is disabled.`)
  return { scenario, category }
}

/** The error of a scenario in a state that starts nothing. */
export function notStartable(state: string, message: string): ServiceError {
  return new ServiceError('invalid_transition', message, { state, by: null, at: null })
}

/** What decides whom runs may be sent to, by the rules of a category. */
export function peopleOf(unitId: string, category: Category, audience: Audience): AudienceSpec {
  const { id: categoryId, layer, consentScope, channelPlan: plan, frequencyCap } = category
  return { unitId, audience, plan, categoryId, layer, consentScope, topicId: null, frequencyCap }
}

/**
 * The variables of a start. `place`: of the person whose they are among those who are named, from 1 on.
 * @throws ServiceError validation_error, missing_variable
 */
export function variablesOf(
  declared: TemplateVariable[],
  values: Record<string, unknown>,
  rule: { declaredOnly: boolean },
  { place }: { place?: number } = {},
): Record<string, unknown> {
  if (hasInexactNumber(values)) throw validationError([{ path: 'variables', ...broken('inexact_number') }])
  const checked = startVariables(declared, values, rule)
  if ('issue' in checked) throw validationError([checked.issue])
  if ('missing' in checked) {
    const whose = place === undefined ? '' : ` for person ${place} of subjectUids`
    throw new ServiceError(
      'missing_variable',
      `Values of these variables are missing${whose}: ${checked.missing.join(', ')}. Give them in variables.`,
      { variables: checked.missing },
    )
  }
  return checked.variables
}

/**
 * Checks that a unit has not too many open runs. 409 rather than 429: it does not pass with time, so that a client that
 * repeats by itself would repeat for nothing.
 * @throws ServiceError too_many_runs
 */
export async function assertRoom(db: Db | Trx, unitId: string): Promise<void> {
  if (!(await hasMoreOpenRuns(db, unitId, limits.openRunsPerUnit))) return
  throw new ServiceError(
    'too_many_runs',
    `The unit would have more than ${limits.openRunsPerUnit.toLocaleString('en')} open runs, so nothing was started. Cancel ` +
      'runs that are no longer needed, or start fewer.',
  )
}

/**
 * Whether starts by others reach more people in 24 hours than an automatic activation covers. Call it after the runs were
 * inserted.
 */
export async function reachesTooMany(db: Db | Trx, { scenario, category }: Startable): Promise<boolean> {
  if (!scenario.autoApproved) return false
  const { id: categoryId, autoMaxRecipients: most } = category
  return (await countReached(db, { unitId: scenario.unitId, categoryId })) > most
}

/**
 * Checks that starts by others do not reach too many people. Call it after the runs were inserted, under `lockStarts`.
 * @throws ServiceError forbidden
 */
export async function assertReach(db: Db | Trx, target: Startable): Promise<void> {
  if (!(await reachesTooMany(db, target))) return
  const { autoMaxRecipients: most } = target.category
  throw new ServiceError(
    'forbidden',
    `No person has approved this version, so others may start scenarios of its category for at most ${most} people in ` +
      '24 hours; nothing was started. Send a message whose button starts it, or let an approver approve a version.',
  )
}
