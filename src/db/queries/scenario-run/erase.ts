import { sql } from 'kysely'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import type { RecordRow } from '../../rows.ts'
import { keepRuns } from '../pattern/preserve-counts.ts'
import type { Purge } from '../retention/retention.ts'
import { endRuns } from './end.ts'

/** What remains of runs: their states and counts. */

/** The actor in a column, without the id of a person who acted for themself. */
function nameless(column: 'started_by' | 'actor') {
  return sql`regexp_replace(${sql.ref(column)}, '^recipient:.*', 'recipient:')`
}

/** Lower than other limits: a run has steps, turns and answers. */
const atOnce = 200

/** What is still to be said, since it may have been said already, keeps its words. */
function isOld(before: Date) {
  return sql<boolean>`closed_at < ${before} and purged_at is null
    and not exists (select from turn where turn.run_id = scenario_run.id and turn.state = 'pending')`
}

/**
 * Runs that have ended: variables, answers, texts, addresses and the person go, and the counts of their steps are added to
 * those of the scenario. What their turns cost stays.
 */
export const endedRuns: Purge = {
  async count(db, before) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from scenario_run where ${isOld(before)}`.execute(db)
    return rows[0]!.n
  },
  async slice(db, before, limit) {
    return db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ id: string }>`
        select id from scenario_run where ${isOld(before)}
        order by closed_at limit ${Math.min(limit, atOnce)} for no key update skip locked`.execute(trx)
      const ids = rows.map(({ id }) => id)
      await keepRuns(trx, ids)
      return purgeRuns(trx, ids)
    })
  },
}

async function purgeRuns(trx: Trx, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = await sql<{ n: number }>`
      with old as (
        select id, scenario_id, version_number from scenario_run where id = ${anyOf(ids)}
      ),
      step as (
        delete from scenario_step using old where run_id = old.id
        returning old.scenario_id, old.version_number as version, node, edge
      ),
      counted as (
        insert into scenario_count (scenario_id, version, node, edge, count)
        select scenario_id, version, node, edge, count(*)
        from (
          select scenario_id, version, node, '' as edge from step
          union all
          select scenario_id, version, node, edge from step where edge is not null
        ) as passed
        group by scenario_id, version, node, edge order by scenario_id, version, node, edge
        on conflict (scenario_id, version, node, edge) do update set count = scenario_count.count + excluded.count
      ),
      unanswered as (
        delete from scenario_answer using old where run_id = old.id
      ),
      looked_up as (
        delete from lookup using old where run_id = old.id
      ),
      silenced as (
        update turn set subject_id = null, address = null, content = null, says = null, request_id = null
        from old where run_id = old.id
      ),
      purged as (
        update scenario_run as run set purged_at = clock_timestamp(), subject_id = null, variables = '{}', answers = '{}',
          opening = null, lookup_error = null, started_by = ${nameless('started_by')}
        from old where run.id = old.id
        returning run.id
      )
      select count(*) as n from purged
    `.execute(trx)
  return rows[0]!.n
}

/** Of calls that started runs: their variables, their keys, and the uids in their answers, once all those runs are purged. */
export const emptiedStarts: Purge = {
  async count(db, before) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from scenario_start as start where ${isOldStart(before)}`.execute(db)
    return rows[0]!.n
  },
  async slice(db, before, limit) {
    const emptied = await sql`
      update scenario_start as start set variables = '{}', idempotency_key = null, body_hash = null,
        actor = ${nameless('actor')}, answer = answer || '{"items": []}'
      where start.id = any(array(
        select start.id from scenario_start as start where ${isOldStart(before)} limit ${limit} for update skip locked))
    `.execute(db)
    return Number(emptied.numAffectedRows ?? 0)
  },
}

function isOldStart(before: Date) {
  return sql<boolean>`start.created_at < ${before}
    and (start.variables <> '{}' or start.idempotency_key is not null or start.actor like 'recipient:_%' or jsonb_array_length(coalesce(start.answer -> 'items', '[]')) > 0)
    and not exists (select from scenario_run as run where run.start_id = start.id and run.purged_at is null)`
}

/**
 * Locks the runs of a person, for an erasure: runs come before people. A run that begins in between is found by
 * `eraseRuns`.
 */
export async function lockRuns(trx: Trx, subjectId: string): Promise<void> {
  await sql`
    select from scenario_run where subject_id = ${subjectId} order by id for no key update`.execute(trx)
}

/**
 * Ends the open runs of a person, and empties all of them: variables, answers, texts and addresses; the variables and the
 * Idempotency-Key of a start with the last of its people. States, paths and what the turns cost stay, without a name. A turn in flight
 * cannot be repeated without its text, so its outcome is unknown. `erasedUid`: replaces the uid in the answers to calls
 * that started runs.
 */
export async function eraseRuns(
  trx: Trx,
  { id, uid, erasedUid }: { id: string; uid: string; erasedUid: string },
): Promise<void> {
  await endRuns(trx, { subjectId: id }, { state: 'cancelled', reason: 'erased' })
  await sql`
    delete from scenario_answer using scenario_run as run where run_id = run.id and run.subject_id = ${id}
  `.execute(trx)
  const others = sql<boolean>`exists (select from scenario_run where start_id = start.id and subject_id <> ${id})`
  // Of two erasures at once, the second sees that the first has left nobody.
  await sql`
    select from scenario_start where id in (select start_id from scenario_run where subject_id = ${id})
    order by id for no key update`.execute(trx)
  await sql`
    update scenario_start as start
    set variables = case when ${others} then variables else '{}' end,
      idempotency_key = case when ${others} then idempotency_key end,
      body_hash = case when ${others} then body_hash end,
      actor = ${nameless('actor')},
      answer = case when answer -> 'items' is null then answer else jsonb_set(answer, '{items}', (
        select coalesce(jsonb_agg(
          case when item ->> 'uid' = ${uid} then item || jsonb_build_object('uid', ${erasedUid}::text) else item end order by ordinal
        ), '[]')
        from jsonb_array_elements(answer -> 'items') with ordinality as each (item, ordinal)
      )) end
    where id in (
      select start_id from scenario_run where subject_id = ${id}
      union
      select id from scenario_start where answer @> jsonb_build_object('items', jsonb_build_array(
        jsonb_build_object('uid', ${uid}::text)))
    )
  `.execute(trx)
  await sql`
    update turn set address = null, content = null, says = null, request_id = null,
      state = case state when 'pending' then 'unknown' else state end,
      reason = case state when 'pending' then 'erased' else reason end,
      closed_at = coalesce(closed_at, clock_timestamp()), claimed_by = null, lease_until = null, next_try_at = null
    where subject_id = ${id}
  `.execute(trx)
  await sql`
    update scenario_run set variables = '{}', answers = '{}', opening = null, lookup_error = null, started_by = ${nameless('started_by')}
    where subject_id = ${id}
  `.execute(trx)
}

/** What is stored about a person in their runs, beside the rows that name them. */
export async function findRunRecords(db: Db, subjectId: string): Promise<Record<string, RecordRow[]>> {
  const records: Record<string, RecordRow[]> = {}
  for (const table of ['scenario_step', 'scenario_answer', 'lookup'] as const) {
    const { rows } = await sql<{ row: RecordRow }>`
      select to_jsonb(held)::text as row from scenario_run as run join ${sql.table(table)} as held on held.run_id = run.id
      where run.subject_id = ${subjectId}
    `.execute(db)
    records[table] = rows.map(({ row }) => row)
  }
  const { rows } = await sql<{ row: RecordRow }>`
    select to_jsonb(start)::text as row from (
      select id, scenario_id, actor, variables, created_at from scenario_start
      where id in (select start_id from scenario_run where subject_id = ${subjectId})
    ) as start
  `.execute(db)
  return { ...records, scenario_start: rows.map(({ row }) => row) }
}
