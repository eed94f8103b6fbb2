import { type RawBuilder, sql } from 'kysely'
import { webhookSources } from '../../../contract/enums.ts'
import { backOff } from '../../back-off.ts'
import type { Db, Trx } from '../../connect.ts'
import { erasedUid, lockRow, type RecordRow } from '../../rows.ts'
import { addressChannel, lockPendingEvents } from '../event/webhook.ts'
import { eraseHandoffs, findHandoffRecords, lockHandoffs } from '../handoff/erase.ts'
import { eraseTypedAnswers } from '../pattern/erase.ts'
import { keepErased, lockPatternsOf } from '../pattern/preserve-counts.ts'
import { withdrawErased } from '../pattern/registration.ts'
import { eraseRuns, findRunRecords, lockRuns } from '../scenario-run/erase.ts'
import { eraseFromSchedules, findSchedulesNaming } from '../schedule/purge.ts'
import { isSameAddress } from '../subject/address.ts'
import { eraseAtFormer } from '../subject/former-address.ts'
import { rejectLinesOf } from '../subject/import-chunk.ts'

/**
 * Every row that belongs to a person, by table. Finds the tables by their foreign keys to `subject`, so that none can
 * be forgotten.
 */
export async function recordsOf(db: Db, subjectId: string): Promise<Record<string, RecordRow[]>> {
  const records: Record<string, RecordRow[]> = {}
  for (const { table, column } of await tablesOfSubjects(db)) {
    const { rows } = await sql<{ row: RecordRow }>`
      select to_jsonb(held)::text as row from ${sql.table(table)} as held where ${sql.ref(`held.${column}`)} = ${subjectId}
    `.execute(db)
    records[table] = rows.map(({ row }) => row)
  }
  return records
}

/** Tables with a foreign key to `subject`, and its column. */
async function tablesOfSubjects(db: Db): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select referring.relname as "table", attname as "column"
    from pg_constraint
      join pg_class referring on referring.oid = conrelid
      join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where confrelid = 'subject'::regclass and contype = 'f' and conparentid = 0
    order by referring.relname
  `.execute(db)
  return rows
}

/**
 * Events and schedules that name a person, messages that target them as an individual, suppressions of their addresses, and
 * what their runs of scenarios went through.
 */
export async function findMentions(
  db: Db,
  { id, uid }: { id: string; uid: string },
): Promise<Record<string, RecordRow[]>> {
  const events = await sql<{ row: RecordRow }>`
    select to_jsonb(named)::text as row from (
      select id, source, event_id, type, occurred_at, received_at, message_id, runs, error,
        case when cardinality(subject_uids) = 1 then data end as data,
        case when cardinality(subject_uids) = 1 then details end as details
      from event where subject_uids @> array[${uid}]
    ) as named
  `.execute(db)
  const messages = await sql<{ row: RecordRow }>`
    select to_jsonb(named)::text as row from (
      select message.id, unit_id, category_id, title, reference, frozen
      from message join message_content on message_id = message.id
      where message.id in (${namedIn(uid)} union ${targetedIn(id)})
    ) as named
  `.execute(db)
  const suppressions = await sql<{ row: RecordRow }>`
    select to_jsonb(suppression)::text as row from address join suppression using (channel, hash) where subject_id = ${id}
  `.execute(db)
  return {
    ...(await findRunRecords(db, id)),
    schedule: await findSchedulesNaming(db, uid),
    ...(await findHandoffRecords(db, id)),
    suppression: suppressions.rows.map(({ row }) => row),
    event: events.rows.map(({ row }) => row),
    message: messages.rows.map(({ row }) => row),
  }
}

/** Messages that name a person by uid. */
function namedIn(uid: string) {
  return sql`select id from message where audience ->> 'kind' = 'individual' and audience -> 'uids' ? ${uid}`
}

/** Messages with deliveries to a person that target individuals by a small audience. */
function targetedIn(subjectId: string) {
  return sql`select message.id from delivery
      join wave on wave.id = delivery.wave_id and wave.number = 0
      join message on message.id = wave.message_id
      where delivery.subject_id = ${subjectId} and message.kind = 'personal'
        and message.audience ->> 'kind' <> 'individual'`
}

/**
 * Removes a person from everything that names them, and deletes them with all rows that refer to them; their deliveries
 * stay, under an id without a subject, and their runs and turns without one. Data in provider calls, and in messages to
 * them alone, is left to `clearErasedData`. Returns false if the person was already erased.
 */
export async function eraseSubject(trx: Trx, { id, uid }: { id: string; uid: string }): Promise<boolean> {
  const isLast = sql`array_remove(array_remove(subject_uids, ${uid}), ${erasedUid}) = '{}'`
  // First, because processing an event locks the event's row before its people's.
  await sql`
    update event
    set subject_uids = array_replace(subject_uids, ${uid}, ${erasedUid}),
      data = case when ${isLast} then '{}' else data end,
      details = case when ${isLast} then null else details end
    where subject_uids @> array[${uid}]
  `.execute(trx)
  // Likewise: an occurrence locks its schedule before the people of its runs, a chunk its import, and an answer its event.
  await eraseFromSchedules(trx, { uid, erasedUid })
  await rejectLinesOf(trx, uid)
  await lockPendingEvents(trx, id)
  await eraseAtFormer(trx, id, 'lock')
  await lockRuns(trx, id)
  const patterns = await lockPatternsOf(trx, id)
  const { rows } = await sql`select from subject where id = ${id} for no key update`.execute(trx)
  if (rows.length === 0) return false
  // A change of addresses locks people before handoffs. A reply locks its handoff, and refers to the person then: until the
  // handoffs are locked, that must be possible.
  await lockHandoffs(trx, id)
  await lockRow(trx, 'subject', id, 'delete')
  await keepErased(trx, id, patterns)
  await eraseRuns(trx, { id, uid, erasedUid })
  await eraseHandoffs(trx, id)
  await withdrawErased(trx, id)
  await eraseTypedAnswers(trx, id)
  await sql`
    with alone as (
      ${namedIn(uid)} and (audience -> 'uids') - ${erasedUid}::text = jsonb_build_array(${uid}::text)
      union
      ${targetedIn(id)} and not exists (
        select from delivery as other join subject on subject.id = other.subject_id
        where other.wave_id = wave.id and other.subject_id <> ${id})
    )
    insert into erasure (subject_id, message_ids) select ${id}::uuid, coalesce(array_agg(id), '{}') from alone
  `.execute(trx)
  await sql`
    update message set audience = jsonb_set(audience, '{uids}', (
      select jsonb_agg(case when named = ${uid} then ${erasedUid} else named end order by ordinal)
      from jsonb_array_elements_text(audience -> 'uids') with ordinality as each (named, ordinal)
    ))
    where audience ->> 'kind' = 'individual' and audience -> 'uids' ? ${uid}
  `.execute(trx)
  for (const source of webhookSources) {
    const channel = addressChannel(source)
    await sql`
      delete from webhook_event using address
      where address.subject_id = ${id} and address.channel = ${channel} and webhook_event.channel = ${sql.lit(source)}
        and ${isSameAddress(channel, sql.ref('webhook_event.address'), sql.ref('address.address'))}
    `.execute(trx)
  }
  await eraseAtFormer(trx, id)
  // A callback before its deliveries, as everywhere; these go with the subject.
  await sql`
    select from callback where id in (select callback_id from callback_delivery where subject_id = ${id})
    order by id for no key update
  `.execute(trx)
  await sql`update person set subject_uid = null where subject_uid = ${uid}`.execute(trx)
  await sql`delete from subject where id = ${id}`.execute(trx)
  return true
}

/** Seconds within which a call that read the address before the erasure may still be stored. */
const graceSeconds = 60
/** Seconds between checks of calls and messages in progress. */
const recheckSeconds = 60

/** An erased person, and the messages to them alone. */
export type Erasure = { subjectId: string; messageIds: string[] }

/** Takes the next due erasure, to be processed in this transaction. */
export async function takeErasure(trx: Trx): Promise<Erasure | undefined> {
  const { rows } = await sql<Erasure>`
    select subject_id as "subjectId", message_ids as "messageIds" from erasure
    where next_try_at <= statement_timestamp() order by next_try_at limit 1 for update skip locked
  `.execute(trx)
  return rows[0]
}

/**
 * Clears the address of an erased person from finished provider calls, and text and reference of closed messages to
 * them alone; what is still in progress is checked again later.
 */
export async function clearErasedData(trx: Trx, { subjectId, messageIds }: Erasure): Promise<void> {
  await eraseAddresses(trx, subjectId)
  await eraseTexts(trx, messageIds)
  await endErasure(trx, subjectId)
}

/** Defers an erasure that failed, with back-off; it is never exhausted. Returns its tries. */
export async function deferErasure(db: Db, subjectId: string): Promise<number> {
  const row = await db
    .updateTable('erasure')
    .set((eb) => ({ tries: eb('tries', '+', 1), next_try_at: backOff }))
    .where('subject_id', '=', subjectId)
    .returning('tries')
    .executeTakeFirst()
  return row?.tries ?? 0
}

/** Erasures whose last try failed; excludes those that wait for calls or messages in progress. */
export async function countErasures(db: Db): Promise<{ retrying: number }> {
  const { retrying } = await db
    .selectFrom('erasure')
    .select(({ fn }) => fn.countAll<number>().as('retrying'))
    .where('tries', '>', 0)
    .executeTakeFirstOrThrow()
  return { retrying }
}

/** Keeps the id and the order of addresses: members and addresses of a call are parallel arrays. */
async function eraseAddresses(trx: Trx, subjectId: string): Promise<void> {
  await sql`
    update call set addresses = array(
      select case when member = ${subjectId} then '' else address end
      from unnest(subject_ids, addresses) with ordinality as each (member, address, ordinal) order by ordinal
    )
    from (${callsWith(subjectId)}) as involved
    where call.wave_id = involved.wave_id and call.channel = involved.channel and call.batch = involved.batch
      and call.call_number = involved.call_number and call.state <> 'open' and cardinality(call.addresses) > 0
  `.execute(trx)
}

/**
 * The calls to a person: of their batches and, for repeated mail, of their earlier batch. From the person's deliveries to
 * the calls, and not from all calls.
 */
function callsWith(subjectId: string) {
  const callsOf = (deliveries: RawBuilder<unknown>, calls: RawBuilder<unknown>) => sql`
    select call.wave_id, call.channel, call.batch, call.call_number, call.state
    from (select * from delivery where subject_id = ${subjectId} ${deliveries} offset 0) as delivery
    cross join lateral (
      select * from call where call.wave_id = delivery.wave_id and call.channel = delivery.channel ${calls} offset 0
    ) as call
    where ${subjectId}::uuid = any(call.subject_ids)`
  const repeated = sql`and (
      select repeats from batch
      where batch.wave_id = delivery.wave_id and batch.channel = delivery.channel and batch.number = delivery.batch)`
  return sql`${callsOf(sql``, sql`and call.batch = delivery.batch`)}
    union ${callsOf(repeated, sql``)}`
}

/** A purged message keeps its states and counts, titled with the name of its category. */
async function eraseTexts(trx: Trx, messageIds: string[]): Promise<void> {
  await sql`
    with over as (
      select id from message
      where id = any(${messageIds}::uuid[]) and (closed_at is not null or state = 'draft') for no key update
    ),
    emptied as (
      update message_content set request = '{}', frozen = null, compiled = null, compiled_reminder = null
      from over where message_id = over.id
    )
    update message as m set purged_at = clock_timestamp(), title = category.name, reference = null
    from over, category where m.id = over.id and category.id = m.category_id
  `.execute(trx)
}

async function endErasure(trx: Trx, subjectId: string): Promise<void> {
  await sql`
    with left_over as (
      select exists (select from (${callsWith(subjectId)}) as involved where state = 'open') or exists (
        select from erasure join message on message.id = any(message_ids)
        where subject_id = ${subjectId} and purged_at is null
      ) as any
    ),
    gone as (
      delete from erasure using left_over
      where subject_id = ${subjectId} and not left_over.any
        and at < clock_timestamp() - make_interval(secs => ${graceSeconds})
      returning 1
    )
    update erasure
    set tries = 0, next_try_at = clock_timestamp() + make_interval(secs => ${recheckSeconds})
    where subject_id = ${subjectId} and not exists (select from gone)
  `.execute(trx)
}
