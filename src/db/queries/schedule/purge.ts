import { sql } from 'kysely'
import type { Db, Trx } from '../../connect.ts'
import type { RecordRow } from '../../rows.ts'
import { type Purge, rowsOf } from '../retention/retention.ts'

/** Schedules that are over or deleted, with the messages that they made no more. */
export const closedSchedules = rowsOf('schedule', (before) => sql<boolean>`closed_at < ${before}`)

/** Occurrences, the oldest first, so that none is missing between others; the newest of each schedule stays. */
export const occurrences: Purge = {
  async count(db, before) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from (${old(before)}) as old_row`.execute(db)
    return rows[0]!.n
  },
  async slice(db, before, limit) {
    const deleted = await sql`
      delete from occurrence where id in (${old(before)} order by at, id limit ${limit})`.execute(db)
    return Number(deleted.numAffectedRows ?? 0)
  },
}

function old(before: Date) {
  return sql`
    select id from occurrence where at < ${before} and exists (
      select from occurrence as later where later.schedule_id = occurrence.schedule_id and later.id > occurrence.id)`
}

/** The schedules whose messages name a person by uid. The texts only where they are to this person alone. */
export async function findSchedulesNaming(db: Db, uid: string): Promise<RecordRow[]> {
  const { rows } = await sql<{ row: RecordRow }>`
    select to_jsonb(named)::text as row from (
      select id, unit_id, name, category_id, case when ${isTo(uid)} then message end as message
      from schedule where ${names(uid)}
    ) as named`.execute(db)
  return rows.map(({ row }) => row)
}

/** Takes an erased person out of messages that are to be made. A schedule that is for nobody else any more is deleted. */
export async function eraseFromSchedules(
  trx: Trx,
  { uid, erasedUid }: { uid: string; erasedUid: string },
): Promise<void> {
  await sql`
    update schedule set state = 'deleted', disabled_reason = null, next_at = null, problem = null, message = '{}',
      closed_at = clock_timestamp(), version = version + 1, changed_at = clock_timestamp()
    where ${names(uid)} and (message #> '{audience,uids}') - ${erasedUid}::text = jsonb_build_array(${uid}::text)`.execute(
    trx,
  )
  await sql`
    update schedule set message = jsonb_set(message, '{audience,uids}', (
      select jsonb_agg(case when named = ${uid} then ${erasedUid} else named end order by ordinal)
      from jsonb_array_elements_text(message #> '{audience,uids}') with ordinality as each (named, ordinal)
    ))
    where ${names(uid)}`.execute(trx)
}

function names(uid: string) {
  return sql<boolean>`message #>> '{audience,kind}' = 'individual' and message #> '{audience,uids}' ? ${uid}`
}

function isTo(uid: string) {
  return sql<boolean>`${names(uid)} and message #> '{audience,uids}' = jsonb_build_array(${uid}::text)`
}
