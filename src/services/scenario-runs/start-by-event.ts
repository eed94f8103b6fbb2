import type { Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import type { EventFailure, EventRow } from '../../db/queries/event/event.ts'
import { findScenarioInForce } from '../../db/queries/scenario/scenario.ts'
import { insertRuns, lockStarts } from '../../db/queries/scenario-run/start.ts'
import { insertStart } from '../../db/queries/scenario-run/start-call.ts'
import { watchStart } from '../../db/queries/scenario-run/start-end.ts'
import { many } from '../../domain/message/shortfall.ts'
import { eventActor } from '../../domain/rights/principal.ts'
import { eventVariables, startVariables, tooLargeFrom } from '../../domain/scenario/start-variables.ts'
import { assertReach, assertRoom, peopleOf } from './start-rules.ts'

/**
 * What the binding of an event starts, and the people of the event. `perEvent`: the event is the occasion, so that a run
 * begins beside one that an earlier event began; otherwise an open run of the person is left as it is.
 */
export type EventStart = { scenarioId: string; categoryId: string; perEvent: boolean; uids: string[] }

/**
 * Starts runs for the people of a locked event who may be written to (docs/design/events.md). Returns the
 * runs to wake after the commit, and their unit; or why the event starts nothing, and nothing is written.
 * @throws ServiceError too_many_runs; forbidden if no person has approved the version, and it reaches too many people.
 *   The transaction must be rolled back
 */
export async function startByEvent(
  trx: Trx,
  event: EventRow,
  { scenarioId, categoryId, perEvent, uids }: EventStart,
): Promise<{ unitId: string; runs: number; waking: string[] } | EventFailure> {
  const scenario = await findScenarioInForce(trx, scenarioId)
  const category = await findCategory(trx, categoryId)
  if (scenario?.state !== 'active' || scenario.categoryId !== categoryId || !category?.enabled)
    return { error: 'no_scenario', details: null }
  const { unitId, version: versionNumber, content, autoApproved } = scenario
  const declared = content.variables ?? []
  const rule = { declaredOnly: !autoApproved }
  const values = eventVariables(declared, event.data, rule)
  const checked = startVariables(declared, values, rule)
  if ('missing' in checked) return { error: 'missing_variable', details: { variables: checked.missing } }
  if ('issue' in checked)
    return { error: 'content_violation', details: { violations: [tooLargeFrom(values)] } }

  await lockStarts(trx, unitId)
  const actor = eventActor(event.source)
  const { variables } = checked
  const call = { scenarioId, actor, idempotencyKey: null, bodyHash: null, variables }
  const kept = Object.keys(variables).length > 0 || uids.length >= many
  const startId = kept ? ((await insertStart(trx, call)) ?? null) : null
  const { runs, ...others } = await insertRuns(trx, {
    scenarioId,
    versionNumber,
    unitId,
    node: content.nodes[0]!.id,
    people: peopleOf(unitId, category, { kind: 'individual', uids }),
    occasion: perEvent ? `event:${event.id}` : '',
    startId,
    startedBy: actor,
    startedByWebhook: null,
    jumps: 0,
    jumpedThrough: [],
    spokeAt: null,
    test: false,
  })
  await assertRoom(trx, unitId)
  await assertReach(trx, { scenario, category })
  const created = runs.filter((run) => run.created)
  if (startId !== null && created.length >= many) await watchStart(trx, startId)
  const numbers = { started: created.length, alreadyRunning: runs.length - created.length, ...others }
  const about = { unitId, actor, objectKind: 'scenario', objectId: scenarioId } as const
  await insertAudit(trx, { ...about, action: 'start_runs', details: { version: versionNumber, ...numbers } })
  const waking = created.flatMap(({ id, queued }) => (queued ? [] : [id]))
  return { unitId, runs: created.length, waking }
}
