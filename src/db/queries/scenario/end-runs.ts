import type { Trx } from '../../connect.ts'
import { endRuns } from './end.ts'

/**
 * Cancels the open runs of a person. Returns the ids of those that it ended, whose workflows end when they are woken; the
 * reconciler wakes those that nobody wakes.
 */
export async function endRunsOf(trx: Trx, subjectId: string, reason: string): Promise<string[]> {
  const open = await trx
    .selectFrom('scenario_run')
    .select('id')
    .where('subject_id', '=', subjectId)
    .where('closed_at', 'is', null)
    .execute()
  return endRuns(trx, { ids: open.map(({ id }) => id) }, { state: 'cancelled', reason })
}
