import { sql } from 'kysely'
import type { Trx } from '../../connect.ts'
import { momentOf, type NewRuns } from './start.ts'

/**
 * Lets a run that waits for a place say again what it said last at its node, because the person asked; nothing is repeated
 * if something is still to be said: one that has got its place meanwhile reads its row, and says that. What waits for the
 * end of quiet hours answers the person now. Requires the lock of the run.
 */
export async function repeatTurn(
  trx: Trx,
  runId: string,
  { jumps, jumpedThrough, spokeAt }: Pick<NewRuns, 'jumps' | 'jumpedThrough' | 'spokeAt'>,
): Promise<void> {
  await sql`
    with repeated as (
      insert into turn (run_id, number, first_node, last_node, subject_id, unit_id, answers_person, locale, says)
      select last.run_id, last.number + 1, last.first_node, last.last_node, last.subject_id, last.unit_id,
        coalesce(${momentOf(spokeAt)} > clock_timestamp() - interval '1 minute', false), last.locale, last.says
      from turn as last join scenario_run as run on run.id = last.run_id and run.node = last.last_node
      where last.run_id = ${runId} and last.says is not null and last.state in ('sent', 'unknown')
        and last.number = (select max(number) from turn where run_id = ${runId})
        and not exists (select from registration where run_id = ${runId} and promoted_at is not null)
    ),
    released as (
      update turn set answers_person = true, next_try_at = null
      where ${momentOf(spokeAt)} > clock_timestamp() - interval '1 minute' and id in (
        select turn.id from turn join scenario_run as run on run.id = turn.run_id
        where run.id = ${runId} and run.problem is null and turn.state = 'pending' and turn.tries = 0
        for no key update of turn skip locked)
    )
    update scenario_run set version = version + 1, changed_at = clock_timestamp(), jumps = ${jumps},
      jumped_through = array_append(${jumpedThrough}::uuid[], scenario_id),
      spoke_at = ${momentOf(spokeAt)}
    where id = ${runId}`.execute(trx)
}
