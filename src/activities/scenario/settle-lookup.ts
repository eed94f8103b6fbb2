import type { Trx } from '../../db/connect.ts'
import { keepFields } from '../../db/queries/scenario/keep-fields.ts'
import { markLookupTooLarge } from '../../db/queries/scenario/lookup.ts'
import type { LookedUp } from '../../services/scenarios/look-up.ts'

/**
 * Keeps what a Lookup found among the variables of its run, or why it has no answer; the run goes on. What would make the
 * variables too large is an answer that is too large.
 */
export async function settleLookup(trx: Trx, runId: string, node: string, result: LookedUp): Promise<void> {
  if (result.outcome !== 'found') {
    await keepFields(trx, runId, { fields: {}, error: result.outcome })
    return
  }
  if (await keepFields(trx, runId, { fields: result.fields, error: null })) return
  await markLookupTooLarge(trx, runId, node)
  await keepFields(trx, runId, { fields: {}, error: 'size' })
}
