import type { Trx } from '../../db/connect.ts'
import type { ObservedRun } from '../../db/queries/scenario-run/observe-run.ts'
import { lockOpenRuns } from '../../db/queries/scenario-run/start.ts'
import { withSavepoint } from '../../db/savepoint.ts'
import type { RunMove } from '../../domain/scenario/advance.ts'
import { type ToldRun, telling } from '../wake-scenario-runs.ts'
import { findPersonal, startByPerson, startOne } from './start-by-person.ts'
import { reachesTooMany } from './start-rules.ts'

type Jump = NonNullable<RunMove['jump']>

/**
 * Starts the scenario in which a conversation goes on, in the transaction in which its run ends. Returns the runs to wake
 * after the commit. A test ends with its jump: the other scenario would not be one.
 */
export async function startByJump(trx: Trx, observation: ObservedRun, jump: Jump): Promise<ToldRun[]> {
  const { run, facts, spokeAt } = observation
  if (run.test) return []
  if (spokeAt === null) return telling('started', (await startForOthers(trx, observation, jump)) ?? [])
  const start = { unitId: run.unitId, subjectId: run.subjectId, webhookEventId: null }
  const { jumpedThrough } = facts
  const from = { runId: run.id, onPage: observation.onPage }
  const begun = { ...jump, jumps: facts.jumps + 1, jumpedThrough, spokeAt, from }
  return (await startByPerson(trx, start, begun)) ?? []
}

/**
 * Whoever began the first run of a chain has begun all of it, until the person says something: their open run stays, their
 * preferences count, and so does the limit of a version that no person approved (docs/design/conversations.md).
 */
async function startForOthers(
  trx: Trx,
  { run, facts }: ObservedRun,
  { scenarioId, variables }: Jump,
): Promise<string[] | null> {
  const { unitId, subjectId, startedBy } = run
  const target = await findPersonal(trx, { unitId, subjectId, scenarioId })
  if (!target) return null
  if ((await lockOpenRuns(trx, { scenarioId, subjectId, occasion: '' })).length > 0) return []
  return withSavepoint(trx, async () => {
    const started = await startOne(trx, target, {
      startedBy,
      startedByWebhook: null,
      jumps: facts.jumps + 1,
      spokeAt: null,
      jumpedThrough: facts.jumpedThrough,
      variables,
      layer: target.category.layer,
    })
    return started && (await reachesTooMany(trx, target)) ? null : started
  })
}
