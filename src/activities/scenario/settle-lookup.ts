import type { Trx } from '../../db/connect.ts'
import { markLookupTooLarge } from '../../db/queries/lookup/lookup.ts'
import { keepFields } from '../../db/queries/scenario-run/preserve-fields.ts'
import type { LookedUp } from '../../services/lookups/look-up.ts'

/**
 * Keeps what a Lookup found among the variables of its run, or why it has no answer; the run goes on. What would make the
 * variables too large is an answer that is too large. A run that does not wait for it any more keeps nothing.
 */
export async function settleLookup(trx: Trx, runId: string, node: string, result: LookedUp): Promise<void> {
  const asked = { runId, node }
  if (result.outcome !== 'found') {
    await keepFields(trx, asked, { fields: {}, error: result.outcome })
    return
  }
  if (await keepFields(trx, asked, { fields: result.fields, error: null })) return
  if (await keepFields(trx, asked, { fields: {}, error: 'size' })) await markLookupTooLarge(trx, runId, node)
}
