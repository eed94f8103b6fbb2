import type { Trx } from '../../db/connect.ts'
import { keepFields } from '../../db/queries/scenario/keep-fields.ts'
import type { LookedUp } from '../../services/scenarios/look-up.ts'

/** Keeps what a Lookup found among the variables of its run, or why it has no answer; the run goes on. */
export async function settleLookup(trx: Trx, runId: string, _node: string, result: LookedUp): Promise<void> {
  if (result.outcome === 'found') await keepFields(trx, runId, { fields: result.fields, error: null })
  else await keepFields(trx, runId, { fields: {}, error: result.outcome })
}
