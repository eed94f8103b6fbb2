import type { Trx } from '../../db/connect.ts'
import type { ObservedRun } from '../../db/queries/scenario/observe-run.ts'
import type { RunMove } from '../../domain/scenario/advance.ts'
import { startByPerson } from './start-by-person.ts'

/**
 * Starts the scenario in which a conversation goes on, in the transaction in which its run ends. Returns the runs to wake
 * after the commit. A test ends with its jump: the other scenario would not be one.
 */
export async function startByJump(
  trx: Trx,
  { run, facts }: ObservedRun,
  { scenarioId, variables }: NonNullable<RunMove['jump']>,
): Promise<string[]> {
  if (run.test) return []
  const start = { unitId: run.unitId, subjectId: run.subjectId, webhookEventId: null }
  return (await startByPerson(trx, start, { scenarioId, variables, jumps: facts.jumps + 1 })) ?? []
}
