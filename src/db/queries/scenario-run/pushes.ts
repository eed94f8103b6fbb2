import { sql } from 'kysely'
import type { Trx } from '../../connect.ts'

/** A person, and the unit that pays what they start. */
type PushedPerson = { subjectId: string; unitId: string }

/**
 * Whether a unit has paid for fewer than `most` pushes to a person in 24 hours, of all runs that they started
 * themselves. The lock lets one of their turns at a time ask until its transaction ends, so that two do not both take
 * the last one. Lock order: after the turn, before the ledger.
 */
export async function hasPushesLeft(
  trx: Trx,
  { subjectId, unitId }: PushedPerson,
  most: number,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`pushes ${unitId} ${subjectId}`}, 0))`.execute(
    trx,
  )
  const { rows } = await sql`
    select from turn join scenario_run as run on run.id = turn.run_id
    where turn.subject_id = ${subjectId} and turn.first_try_at > clock_timestamp() - interval '24 hours'
      and turn.by = 'push' and turn.unit_pushes + turn.pool_pushes > 0
      and turn.unit_id = ${unitId} and run.started_by like 'recipient:%' and not run.test
    offset ${most - 1} limit 1`.execute(trx)
  return rows.length === 0
}
