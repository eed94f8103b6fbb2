import { broken } from '../../contract/rules.ts'
import type { StartTestRun, TestRun } from '../../contract/scenarios/starts.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import { findOwnSubject } from '../../db/queries/identity/person.ts'
import { findVersion } from '../../db/queries/scenario/version.ts'
import { endRuns } from '../../db/queries/scenario-run/end.ts'
import { insertRuns, lockOpenRuns, lockStarts } from '../../db/queries/scenario-run/start.ts'
import { insertStart } from '../../db/queries/scenario-run/start-call.ts'
import { actorOf, type PersonPrincipal } from '../../domain/rights/principal.ts'
import { takesDeclaredOnly } from '../../domain/scenario/start-variables.ts'
import type { Services } from '../context.ts'
import { findInUnits } from '../unit-access.ts'
import { validationError } from '../validation-error.ts'
import { telling, wakeRuns } from '../wake-scenario-runs.ts'
import { assertRoom, notStartable, peopleOf, variablesOf } from './start-rules.ts'

/** The occasion of tests: beside the run that the caller may have as a person. */
const testOccasion = 'test'

/**
 * Starts a test of the newest version with the caller, on the chat address of their subject. It asks no consent: the
 * caller tests what they are responsible for, as with a test message. It ends their earlier test.
 * @throws ServiceError not_found, invalid_transition if the scenario is paused or retired, missing_variable,
 *   validation_error if the caller has no chat address, too_many_runs
 */
export async function startTestRun(
  services: Services,
  principal: PersonPrincipal,
  id: string,
  { variables: values = {} }: StartTestRun = {},
): Promise<TestRun> {
  const { db } = services
  const scenario = await findInUnits(db, principal, id, 'scenario', findVersion)
  const { id: scenarioId, unitId, state, version: versionNumber, categoryId, content } = scenario
  if (state === 'paused' || state === 'retired')
    throw notStartable(state, `This scenario is ${state}, so no run can start.`)
  const rule = { declaredOnly: takesDeclaredOnly(scenario) }
  const variables = variablesOf(content.variables ?? [], values, rule)
  const subject = await findOwnSubject(db, principal.personId)
  const category = await findCategory(db, categoryId)
  const actor = actorOf(principal)
  const started = await db.transaction().execute(async (trx) => {
    // One at a time: of two at once, the second ends the run of the first, as it would a moment later.
    await lockStarts(trx, unitId)
    const earlier = subject
      ? await lockOpenRuns(trx, { scenarioId, subjectId: subject.id, occasion: testOccasion })
      : []
    const ids = earlier.map((run) => run.id)
    const { toWake } = await endRuns(trx, { ids }, { state: 'cancelled', reason: 'restarted' })
    const startId = await insertStart(trx, {
      scenarioId,
      actor,
      idempotencyKey: null,
      bodyHash: null,
      variables,
    })
    const people = peopleOf(unitId, category!, { kind: 'individual', uids: subject ? [subject.uid] : [] })
    const { runs } = await insertRuns(trx, {
      scenarioId,
      versionNumber,
      unitId,
      node: content.nodes[0]!.id,
      people: {
        ...people,
        layer: 'mandatory',
        consentScope: null,
        plan: { mode: 'all', channels: ['chat'] },
      },
      occasion: testOccasion,
      startId: startId!,
      startedBy: actor,
      startedByWebhook: null,
      jumps: 0,
      jumpedThrough: [],
      spokeAt: null,
      test: true,
    })
    const run = runs[0]
    if (!run) throw noChat()
    await assertRoom(trx, unitId)
    const details = { version: versionNumber, runId: run.id }
    await insertAudit(trx, {
      unitId,
      actor,
      action: 'test_run',
      objectKind: 'scenario',
      objectId: scenarioId,
      details,
    })
    return { run, toWake }
  })
  wakeRuns(services, telling('cancelled', started.toWake))
  wakeRuns(services, telling('started', [started.run.id]))
  return { id: started.run.id, version: versionNumber }
}

function noChat() {
  return validationError([{ path: 'session', ...broken('no_own_address', { of: 'session' }) }])
}
