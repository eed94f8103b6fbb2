import { sql } from 'kysely'
import { farewellNode, retired } from '../../../domain/scenario/farewell.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import { joinRunVersion } from '../scenario/version.ts'
import { endRuns, skipUntriedTurns } from './end.ts'

/** A run that could not be retired is parked, and looked at again after a while. */
const mayRetire = sql<boolean>`(step_parked_at is null or step_parked_at < clock_timestamp() - interval '10 minutes')`

/** The id of a retired scenario that has open runs which are not closing yet. */
export async function findRetiring(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from scenario
    where state = 'retired' and exists (
      select from scenario_run
      where scenario_id = scenario.id and closed_at is null and reason is distinct from ${retired} and ${mayRetire}
    )
    order by id limit 1`.execute(db)
  return rows[0]?.id
}

/**
 * Ends open runs of a retired scenario, the next ones up to a number, or these: at once, or with a last turn that says
 * the farewell of their version. A test says none, and neither does a run that others began and that stands in line: its
 * person has heard nothing of it. A run that says it is closing: it has the reason already, takes no answer and goes
 * nowhere, and ends once the turn is final. Returns the ids of those to wake.
 */
export async function retireRuns(
  trx: Trx,
  scenarioId: string,
  which: number | readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string; speaks: boolean }>`
    select run.id, not run.test and version.content -> 'farewell' is not null
      and (run.queued_at is null or run.spoke_at is not null) as speaks
    from scenario_run as run ${joinRunVersion}
    where run.scenario_id = ${scenarioId} and run.closed_at is null and run.reason is distinct from ${retired}
      and ${typeof which === 'number' ? mayRetire : sql`run.id = ${anyOf(which)}`}
    order by run.id ${typeof which === 'number' ? sql`limit ${which}` : sql``}
    for no key update of run skip locked`.execute(trx)
  const idsOf = (speaking: boolean) => rows.flatMap(({ id, speaks }) => (speaks === speaking ? [id] : []))
  const [speaking, silent] = [idsOf(true), idsOf(false)]
  if (speaking.length > 0) await insertFarewellTurns(trx, speaking)
  const { toWake } = await endRuns(trx, { ids: silent }, { state: 'cancelled', reason: retired })
  return [...speaking, ...toWake]
}

/** The runs that are retired next. */
export async function findToRetire(db: Db, scenarioId: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from scenario_run
    where scenario_id = ${scenarioId} and closed_at is null and reason is distinct from ${retired} and ${mayRetire}
    order by id limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Makes runs say the farewell of their version, in place of what they were about to say; a turn whose first try has begun
 * comes before it. A run without a person says nothing and ends all the same. Requires the locks of the runs.
 */
async function insertFarewellTurns(trx: Trx, runIds: string[]): Promise<void> {
  await skipUntriedTurns(runIds, retired).execute(trx)
  // As `farewellMessages`, which the farewell of a run that moves by itself is made with.
  await sql`
    insert into turn (run_id, number, first_node, last_node, subject_id, unit_id, answers_person, locale, says)
    select run.id, coalesce((select max(number) from turn where run_id = run.id), 0) + 1,
      ${farewellNode}, ${farewellNode}, subject.id, run.unit_id, false, subject.locale,
      jsonb_build_array(jsonb_build_object('node', ${farewellNode}::text, 'messages', jsonb_build_array(
        jsonb_build_object('kind', 'text', 'text', version.content -> 'farewell'))))
    from scenario_run as run ${joinRunVersion} join subject on subject.id = run.subject_id
    where run.id = ${anyOf(runIds)}`.execute(trx)
  await sql`
    update scenario_run set reason = ${retired}, deadline = null, version = version + 1, changed_at = clock_timestamp()
    where id = ${anyOf(runIds)}`.execute(trx)
}
