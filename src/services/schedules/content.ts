import { ServiceError } from '../../contract/errors.ts'
import type { CreateMessage } from '../../contract/messages/create.ts'
import type { ScheduledMessage, ScheduledScenario, ScheduledStart } from '../../contract/schedules/content.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { databaseNow } from '../../db/queries/message/message.ts'
import { findScenario } from '../../db/queries/scenario/scenario.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { checkBody, type DraftWithSources } from '../messages/check-body.ts'
import { assertMayReach } from '../messages/rights.ts'
import { type Startable, startable, variablesOf } from '../scenario-runs/start-rules.ts'
import { assertSize } from '../scenario-runs/start-runs.ts'
import { type Issue, unknownReference, validationError } from '../validation-error.ts'

/** What a schedule makes: exactly one of them. */
type ScheduledContent = { message?: ScheduledMessage | undefined; scenario?: ScheduledScenario | undefined }

/**
 * Checks what a schedule would make, as an occurrence now would, and that the caller has the rights. Returns its columns.
 * @throws ServiceError category_not_allowed, individual_targeting_disabled, audience_dimension_not_allowed,
 *   fixed_category, topic_inactive, not_found, validation_error, missing_variable, invalid_transition, forbidden,
 *   too_many_subjects, unavailable; RetryLater
 */
export async function checkedColumns(
  services: Pick<Services, 'rendering'>,
  trx: Trx,
  principal: Principal,
  unitId: string,
  { message, scenario }: ScheduledContent,
) {
  if (message) {
    const now = await databaseNow(trx)
    await inside('message', async () => {
      await draftFor(services, trx, principal, { unitId, message, dueAt: now, checksVariables: true })
    })
    return {
      category_id: message.categoryId,
      message: JSON.stringify(message),
      scenario_id: null,
      start: null,
    }
  }
  const { scenarioId: id, ...start } = scenario!
  const scenarioId = await inside('scenario', () => ownScenario(trx, unitId, id))
  const { target } = await inside('scenario', () => startFor(trx, principal, scenarioId, start))
  const columns = { category_id: target.category.id, scenario_id: scenarioId, start: JSON.stringify(start) }
  return { ...columns, message: null }
}

type Occurring = { unitId: string; message: ScheduledMessage; dueAt: number; checksVariables: boolean }

/**
 * The draft of an occurrence that is due at `dueAt` (ms since the epoch), for a caller with the rights to it, and what a
 * submit renders it from. `checksVariables`: the message was just written.
 * @throws ServiceError as `checkedColumns` does about a message
 */
export async function draftFor(
  services: Pick<Services, 'rendering'>,
  trx: Trx,
  principal: Principal,
  { unitId, message, dueAt, checksVariables }: Occurring,
): Promise<DraftWithSources> {
  return checkBody({ ...services, db: trx }, principal, unitId, bodyAt(message, dueAt), { checksVariables })
}

/** The body of the message of an occurrence: its times count from when that is due. */
function bodyAt(
  { remindAfterSeconds, expiresAfterSeconds, ...body }: ScheduledMessage,
  dueAt: number,
): CreateMessage {
  const after = (seconds: number) => new Date(dueAt + seconds * 1_000).toISOString()
  return {
    ...body,
    ...(remindAfterSeconds !== undefined && { remindAt: after(remindAfterSeconds) }),
    ...(expiresAfterSeconds !== undefined && { expiresAt: after(expiresAfterSeconds) }),
  }
}

/** How long after an occurrence is due it makes sense (ms): before its message expires or would be reminded of. */
export function validityOf(message: ScheduledMessage | null): number {
  const { remindAfterSeconds, expiresAfterSeconds } = message ?? {}
  return Math.min(remindAfterSeconds ?? Infinity, expiresAfterSeconds ?? Infinity) * 1_000
}

async function ownScenario(db: Db, unitId: string, named: string): Promise<string> {
  const id = idOrNull(named)
  const scenario = id === null ? undefined : await findScenario(db, id, [unitId])
  if (scenario) return scenario.id
  throw unknownReference(
    'scenarioId',
    'scenario',
    `The unit has no scenario ${named}. See GET /v1/scenarios.`,
  )
}

/**
 * The scenario of an occurrence and the variables of its runs, for a caller with the rights to them.
 * @throws ServiceError as `checkedColumns` does about a scenario
 */
export async function startFor(
  trx: Trx,
  principal: Principal,
  scenarioId: string,
  { audience, variables = {} }: ScheduledStart,
): Promise<{ target: Startable; variables: Record<string, unknown> }> {
  const target = await startable(trx, scenarioId)
  assertMayReach(principal, target.category.id, audience)
  await assertSize(trx, target, audience)
  const { content, autoApproved } = target.scenario
  return {
    target,
    variables: variablesOf(content.variables ?? [], variables, { declaredOnly: !autoApproved }),
  }
}

/** Runs the checks of a part of a body: the paths of their issues are then those of the whole. */
async function inside<T>(field: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { issues, ...details } = (error.details ?? {}) as { issues?: Issue[] }
    if (!issues) throw error
    const placed = issues.map((issue) => ({ ...issue, path: issue.path ? `${field}.${issue.path}` : field }))
    if (error.code === 'validation_error') throw validationError(placed)
    throw new ServiceError(error.code, error.message, { ...details, issues: placed })
  }
}
