import type { Trx } from '../../db/connect.ts'
import { findCategory } from '../../db/queries/catalogue/category.ts'
import type { ObservedRun } from '../../db/queries/scenario/observe-run.ts'
import { findScenarioInForce } from '../../db/queries/scenario/scenario.ts'
import { insertRuns } from '../../db/queries/scenario/start.ts'
import type { RunMove } from '../../domain/scenario/advance.ts'

/**
 * Starts the scenario in which a conversation goes on, in the transaction in which its run ends. Returns the runs to wake
 * after the commit: none if the person has withdrawn consent, or talks to that scenario already.
 */
export async function startByJump(
  trx: Trx,
  { run, facts }: ObservedRun,
  { scenarioId, variables }: NonNullable<RunMove['jump']>,
): Promise<string[]> {
  const scenario = await findScenarioInForce(trx, scenarioId)
  const category = scenario && (await findCategory(trx, scenario.categoryId))
  if (!scenario || !category) return []
  const { unitId, version: versionNumber, content } = scenario
  const actor = `scenario:${run.scenarioId}`
  const { id: startId } = await trx
    .insertInto('scenario_start')
    .values({ scenario_id: scenarioId, actor, variables: JSON.stringify(variables) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { layer, consentScope, channelPlan: plan, id: categoryId } = category
  const audience = { kind: 'individual' as const, uids: [run.uid] }
  const { runs } = await insertRuns(trx, {
    ...{ scenarioId, versionNumber, unitId, node: content.nodes[0]!.id, startId, startedBy: actor },
    ...{ occasion: '', startedByWebhook: null, jumps: facts.jumps + 1, test: run.test },
    people: { unitId, audience, plan, categoryId, layer, consentScope, topicId: null },
  })
  return runs.flatMap(({ id, created }) => (created ? [id] : []))
}
