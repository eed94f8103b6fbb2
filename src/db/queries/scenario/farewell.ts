import { sql } from 'kysely'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import { farewellNode, farewellSays, retired } from '../../../domain/scenario/farewell.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import { endRuns, skipUntriedTurns } from './end.ts'

/** A retired scenario that has open runs which are not closing yet. */
export async function findRetiring(
  db: Db,
): Promise<{ scenarioId: string; farewell: LocalisedText | null } | undefined> {
  const { rows } = await sql<{ scenarioId: string; farewell: LocalisedText | null }>`
    select id as "scenarioId", farewell from scenario
    where state = 'retired' and exists (
      select from scenario_run
      where scenario_id = scenario.id and closed_at is null and reason is distinct from ${retired}
    )
    order by id limit 1`.execute(db)
  return rows[0]
}

/**
 * Ends open runs of a retired scenario, the next `most`: at once, or with a last turn that says the farewell. A run that
 * says it is closing: it has the reason already, takes no answer and goes nowhere, and ends once the turn is final.
 * Returns the ids of those to wake; none: every run is over or closing.
 */
export async function retireRuns(
  trx: Trx,
  { scenarioId, farewell }: { scenarioId: string; farewell: LocalisedText | null },
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from scenario_run
    where scenario_id = ${scenarioId} and closed_at is null and reason is distinct from ${retired}
    order by id limit ${most}
    for no key update skip locked`.execute(trx)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  if (farewell === null) return endRuns(trx, { ids }, { state: 'cancelled', reason: retired })
  await insertFarewellTurn(trx, ids, farewell)
  return ids
}

/**
 * Makes runs say a last text, in place of what they were about to say; a turn whose first try has begun comes before it.
 * A run without a person, and a test, says nothing and ends all the same. Requires the locks of the runs.
 */
export async function insertFarewellTurn(trx: Trx, runIds: string[], farewell: LocalisedText): Promise<void> {
  await skipUntriedTurns(runIds, retired).execute(trx)
  await sql`
    insert into turn (run_id, number, first_node, last_node, subject_id, unit_id, answers_person, locale, says)
    select run.id, coalesce((select max(number) from turn where run_id = run.id), 0) + 1,
      ${farewellNode}, ${farewellNode}, subject.id, run.unit_id, false, subject.locale,
      ${JSON.stringify(farewellSays(farewell))}::jsonb
    from scenario_run as run join subject on subject.id = run.subject_id
    where run.id = ${anyOf(runIds)} and not run.test`.execute(trx)
  await sql`
    update scenario_run set reason = ${retired}, deadline = null, version = version + 1, changed_at = clock_timestamp()
    where id = ${anyOf(runIds)}`.execute(trx)
}
