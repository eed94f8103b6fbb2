import { sql } from 'kysely'
import type { LookupError } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { Trx } from '../../connect.ts'

/**
 * Sets the fields that a Lookup found over the variables of its run, and why the last Lookup has no answer. Returns false,
 * and changes nothing, if the variables became too large, or the run takes no result any more: it has ended, is at another
 * node, or its person was erased while the producer was asked.
 */
export async function keepFields(
  trx: Trx,
  { runId, node }: { runId: string; node: string },
  { fields, error }: { fields: Record<string, unknown>; error: LookupError | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update scenario_run set variables = variables || ${JSON.stringify(fields)}::jsonb, lookup_error = ${error},
      version = version + 1, changed_at = clock_timestamp()
    where id = ${runId} and node = ${node} and closed_at is null and subject_id is not null
      and octet_length((variables || ${JSON.stringify(fields)}::jsonb)::text) <= ${limits.runVariablesBytes}::int`.execute(
    trx,
  )
  return numAffectedRows === 1n
}
