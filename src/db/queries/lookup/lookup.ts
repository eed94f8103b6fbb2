import { sql } from 'kysely'
import type { LookupError } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { ScenarioNode } from '../../../contract/scenarios/graph.ts'
import type { RefusedField } from '../../../domain/scenario/lookup-answer.ts'
import type { Db, Trx } from '../../connect.ts'
import { milliseconds } from '../../interval.ts'
import { runConsent } from '../scenario-run/turn.ts'

/**
 * `begun`: this worker makes the call. `lost`: a worker began it and stored no outcome. `over`: it has one, or the run may
 * not make it any more. Otherwise its origin has as many under way, or begun within a second, as it may have: the run asks
 * again after `waitMs`.
 */
type LookupBegin = 'begun' | 'lost' | 'over' | { waitMs: number }

/** A Lookup without an outcome is taken to be under way for so long: its limits of time, and a second. */
const underWayMs = limits.lookupConnectMs + 2 * limits.lookupTimeoutMs + 1_000
/** How long a Lookup of an origin takes that has answered none of late (s). */
const takesSeconds = 1
/** After how long a run asks again, at the least and at the most (s): the producer may have become quick meanwhile. */
const backIn = { least: 0.5, most: 20 }
/** A run keeps its place so long before and after it was to ask again (s). */
const placeKept = { before: 1, after: 10 }

/**
 * Stores the attempt of a Lookup before its call, in a commit of its own: no run calls a node's endpoint twice. The run
 * must be open and at the node, its scenario not retired, and the person's consent must stand: what is looked up names
 * them.
 *
 * The attempts at an origin take turns, so that its limits hold across all workers, and no run waits for one in a worker.
 * Who waits stands in line: the units take turns, each with its oldest. When a run asks again follows from its place
 * and from how long the origin's last Lookups took.
 */
export async function beginLookup(
  db: Db,
  { runId, node, origin }: { runId: string; node: string; origin: string },
): Promise<LookupBegin> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`lookups ${origin}`}, 0))`.execute(trx)
    const { rows } = await sql<{ begun: boolean; lost: boolean; waitMs: number | null }>`
      with here as (
        select run.id, run.unit_id from scenario_run as run join scenario on scenario.id = run.scenario_id
          join scenario_version as version on version.scenario_id = run.scenario_id
            and version.version = run.version_number
          join category on category.id = version.category_id
        where run.id = ${runId} and run.node = ${node} and run.closed_at is null and scenario.state <> 'retired'
          and ${runConsent}
      ), earlier as (
        select outcome from lookup where run_id = ${runId} and node = ${node}
      ), line as (
        select unit_id, since, back_at, run_id = ${runId} and node = ${node} as own,
          row_number() over (partition by unit_id order by since, run_id) as turn
        from lookup_wait
        where origin = ${origin} and (back_at > clock_timestamp() - make_interval(secs => ${placeKept.after})
          or run_id = ${runId})
      ), own as (
        select coalesce((select since from line where own), clock_timestamp()) as since,
          coalesce((select turn from line where own),
            1 + (select count(*) from line where line.unit_id = here.unit_id)) as turn
        from here
      ), ahead as (
        select count(*) as waiting, count(*) filter (
            where back_at < clock_timestamp() + make_interval(secs => ${placeKept.before})) as soon
        from line, own where not line.own and (line.turn, line.since) < (own.turn, own.since)
      ), room as (
        select least(
            ${limits.lookupsAtOnce}::int - count(*) filter (where outcome is null),
            ${limits.lookupsPerSecond}::int - count(*) filter (where started_at > clock_timestamp() - interval '1 second')
          ) as places,
          greatest(1.0 / ${limits.lookupsPerSecond}::int, coalesce(
            avg(extract(epoch from ended_at - started_at)), ${takesSeconds}::int) / ${limits.lookupsAtOnce}::int) as each
        from lookup where origin = ${origin}
          and started_at > clock_timestamp() - ${milliseconds(underWayMs)}
      ), begun as (
        insert into lookup (run_id, node, origin) select here.id, ${node}, ${origin}
        from here, room, ahead where places > soon
        on conflict do nothing returning run_id
      ), left_line as (
        delete from lookup_wait where run_id = ${runId} and node = ${node} and (
          exists (select from begun) or exists (select from earlier) or not exists (select from here))
      ), waits as (
        insert into lookup_wait (run_id, node, unit_id, origin, back_at)
        select here.id, ${node}, here.unit_id, ${origin}, clock_timestamp() + make_interval(secs => (0.8 + 0.2 * random())
          * greatest(${backIn.least}::float8, least(${backIn.most}::float8, (waiting + 1) * each)))
        from here, room, ahead where places <= soon and not exists (select from earlier)
        on conflict (run_id, node) do update set back_at = excluded.back_at
        returning back_at
      )
      select exists (select from begun) as begun, exists (select from earlier where outcome is null) as lost,
        (select extract(epoch from back_at - clock_timestamp())::float8 * 1000 from waits) as "waitMs"
    `.execute(trx)
    const { begun, lost, waitMs } = rows[0]!
    if (begun) return 'begun'
    if (lost) return 'lost'
    return waitMs === null ? 'over' : { waitMs }
  })
}

/** Stores the outcome of a Lookup once. Returns whether it had none. `dropped`: fields that became null. */
export async function endLookup(
  trx: Trx,
  runId: string,
  node: string,
  { outcome, dropped = 0 }: { outcome: 'found' | LookupError; dropped?: number },
): Promise<boolean> {
  const ended = await trx
    .updateTable('lookup')
    .set({ outcome, dropped, ended_at: sql`clock_timestamp()` })
    .where('run_id', '=', runId)
    .where('node', '=', node)
    .where('outcome', 'is', null)
    .returning('run_id')
    .executeTakeFirst()
  return ended !== undefined
}

/** A Lookup that a run is at: the node, and the values that it names. */
export type LookupAt = {
  unitId: string
  scenarioId: string
  subjectId: string
  uid: string
  node: Extract<ScenarioNode, { kind: 'lookup' }>
  variables: Record<string, unknown>
}

/** The Lookup that a run is at; undefined if it is at none any more, or its person was erased. */
export async function findLookup(db: Db, runId: string): Promise<LookupAt | undefined> {
  const { rows } = await sql<LookupAt>`
    select run.unit_id as "unitId", run.scenario_id as "scenarioId", run.subject_id as "subjectId", subject.uid,
      (select found from jsonb_array_elements(content -> 'nodes') as found where found ->> 'id' = run.node) as node,
      coalesce(start.variables, '{}') || run.variables as variables
    from scenario_run as run
      join scenario_version on scenario_version.scenario_id = run.scenario_id
        and scenario_version.version = run.version_number
      join subject on subject.id = run.subject_id
      left join scenario_start as start on start.id = run.start_id
    where run.id = ${runId} and run.closed_at is null
  `.execute(db)
  return rows[0]?.node.kind === 'lookup' ? rows[0] : undefined
}

/** Stores which fields of the answer of a Lookup became null. */
export async function storeRefusedFields(
  trx: Trx,
  { runId, node }: { runId: string; node: string },
  refused: readonly RefusedField[],
): Promise<void> {
  await trx
    .updateTable('lookup')
    .set({ refused: JSON.stringify(refused), dropped: refused.length })
    .where('run_id', '=', runId)
    .where('node', '=', node)
    .execute()
}

/** Corrects the outcome of a Lookup whose fields do not fit among the variables of its run. */
export async function markLookupTooLarge(trx: Trx, runId: string, node: string): Promise<void> {
  await trx
    .updateTable('lookup')
    .set({ outcome: 'size' })
    .where('run_id', '=', runId)
    .where('node', '=', node)
    .execute()
}
