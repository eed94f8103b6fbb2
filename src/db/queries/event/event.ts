import { type Selectable, sql } from 'kysely'
import type { EventError } from '../../../contract/enums.ts'
import type { EventErrorDetails, SystemEvent } from '../../../contract/events/event.ts'
import { limits } from '../../../contract/limits.ts'
import { backOff, maxTries } from '../../back-off.ts'
import type { Db, Trx } from '../../connect.ts'
import { erasedUid } from '../../rows.ts'
import type { EventTable } from '../../tables.ts'
import { type BindingInForce, bindingInForce } from './binding.ts'

export type EventRow = Selectable<EventTable>
/** An event to record. One that is invalid has no data, and where its id cannot be read another in its place (`unnamed`). */
export type GivenEvent =
  | SystemEvent
  | {
      eventId: string
      unnamed: boolean
      type: string | null
      occurredAt: string | null
      subjectUids: never[]
      data: Record<string, never>
      error: 'invalid_event'
      details: EventErrorDetails
    }
export type EventKey = { source: string; eventId: string }
/**
 * The events under one signature. `signature`: its sha256. `barredKeys`: signing keys that may not raise this source;
 * what stands recorded under one of them is not an event of this source.
 */
type SignedEvents = {
  source: string
  keyId: string
  signature: Uint8Array
  events: GivenEvent[]
  barredKeys: string[]
}

/** The time in which a request processes its events; after it, a worker takes over the open ones. */
const graceSeconds = { request: 3, event: 0.2 }
/** How long an event that a worker has taken is not taken by another. */
const leaseSeconds = 60

/**
 * Records events under their signature, in one statement. A known event is unchanged, unless its outcome was an error
 * or its key is barred: then it is replaced and, if it is valid, open again. A known signature records nothing. Returns
 * the events that the signature covers, which of these differ from the one that stands recorded and was not replaced,
 * and which were recorded as invalid just now.
 */
export async function recordEvents(
  db: Db,
  { source, keyId, signature, events, barredKeys }: SignedEvents,
): Promise<RecordedEvents> {
  // Of several with one id the first, and a valid one before all others.
  const firstLast = [...events.filter(isInvalid), ...events.toReversed().filter((event) => !isInvalid(event))]
  const distinct = [...new Map(firstLast.map((event) => [event.eventId, event])).values()]
  const { rows } = await sql<RecordedEvents>`
    with input as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(distinct)}) as input ("eventId" text, type text,
        "occurredAt" timestamptz, "subjectUids" text[], data jsonb, unnamed boolean, error text, details jsonb)
    ), signed as (
      insert into event_signature as s (digest, source, event_ids)
      values (${Buffer.from(signature)}, ${source}, ${events.map(({ eventId }) => eventId)})
      on conflict (digest) do update set digest = excluded.digest
      returning s.source, s.event_ids, old.digest is null as fresh
    ), recorded as (
      insert into event (source, event_id, type, occurred_at, subject_uids, data, key_id, next_try_at, unnamed, error,
        details)
      select ${source}, "eventId", type, "occurredAt", "subjectUids", data, ${keyId}, ${inSeconds(graceFor(events.length))},
        coalesce(unnamed, false), error, details
      from input
      where (select fresh from signed)
      order by "eventId"
      on conflict (source, event_id) do update set type = excluded.type, occurred_at = excluded.occurred_at,
        subject_uids = excluded.subject_uids, data = excluded.data, key_id = excluded.key_id,
        received_at = excluded.received_at, tries = 0, next_try_at = excluded.next_try_at,
        unnamed = excluded.unnamed, error = excluded.error, details = excluded.details, message_id = null, runs = null,
        unit_id = null
      where event.error is not null or event.key_id = any(${barredKeys}::text[])
      returning event_id, error
    )
    select source, event_ids as "eventIds", array(
        select input."eventId" from input cross join lateral (
          select * from event where source = signed.source and event_id = input."eventId" limit 1
        ) as event
        where signed.fresh and event.error is null and event.key_id <> all(${barredKeys}::text[])
          and (event.subject_uids <> '{}' or event.data <> '{}') and ${erasedUid} <> all(event.subject_uids)
          and (event.type, date_trunc('milliseconds', event.occurred_at), event.subject_uids, event.data)
            is distinct from (input.type, input."occurredAt", input."subjectUids", input.data)) as changed,
      array(select event_id from recorded where error is not null) as invalid
    from signed
  `.execute(db)
  return rows[0]!
}

type RecordedEvents = { source: string; eventIds: string[]; changed: string[]; invalid: string[] }

function isInvalid(event: GivenEvent): boolean {
  return 'error' in event
}

/** Whether an event has made its message or started its runs; what stands recorded under a barred key does not count. */
export async function isEventMade(
  db: Db,
  { source, eventId }: EventKey,
  barredKeys: string[],
): Promise<boolean> {
  const row = await db
    .selectFrom('event')
    .select('unit_id')
    .where('source', '=', source)
    .where('event_id', '=', eventId)
    .where('unit_id', 'is not', null)
    .where(sql<boolean>`key_id <> all(${barredKeys}::text[])`)
    .executeTakeFirst()
  return row !== undefined
}

/** An event with what its outcome depends on. */
export type LockedEvent = EventRow & {
  /** The binding of its source and type, if its key may trigger it. */
  binding: BindingInForce | null
  /** Which of its subjects exist, each once, and how many of them have no acquisition yet. */
  known: { uids: string[]; newcomers: number }
}

/** An event, locked until its outcome is written, with its binding and subjects: in one round trip. */
export async function lockEvent(trx: Trx, { source, eventId }: EventKey): Promise<LockedEvent> {
  const { rows } = await sql<LockedEvent>`
    select event.*, (${bindingInForce}) as binding, (
        select json_build_object('uids', coalesce(json_agg(uid), '[]'),
          'newcomers', count(*) filter (where acquisition_source is null))
        from subject where uid = any(event.subject_uids)) as known
    from event where source = ${source} and event_id = ${eventId} for no key update`.execute(trx)
  return rows[0]!
}

/** The runs that an event started in a unit; its message is written with its outcome (message/message.ts). */
type EventMade = { unitId: string; runs: number }

/** Writes the outcome of a locked event. */
export async function endEvent(
  trx: Trx,
  { source, event_id }: EventRow,
  outcome: EventMade | EventFailure,
): Promise<void> {
  await trx
    .updateTable('event')
    .set('error' in outcome ? failureIn(outcome) : madeIn(outcome))
    .where('source', '=', source)
    .where('event_id', '=', event_id)
    .execute()
}

function madeIn({ unitId, runs }: EventMade) {
  return { unit_id: unitId, runs }
}

function failureIn({ error, details }: EventFailure) {
  return { error, details: details && JSON.stringify(details) }
}

/** Why an event created no message and started no runs. */
export type EventFailure = { error: EventError; details: EventErrorDetails | null }

/** Writes the error of an event whose transaction was rolled back. Returns false if it has an outcome meanwhile. */
export async function failEvent(
  db: Db,
  { source, eventId }: EventKey,
  failure: EventFailure,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('event')
    .set(failureIn(failure))
    .where('source', '=', source)
    .where('event_id', '=', eventId)
    .where('unit_id', 'is', null)
    .where('error', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes an open event whose request has not processed it in time. Safe to call from several workers. */
export async function takeOpenEvent(db: Db): Promise<EventKey | undefined> {
  const { rows } = await sql<EventKey>`
    update event set next_try_at = ${inSeconds(leaseSeconds)}
    where (source, event_id) in (
      select source, event_id from event
      where unit_id is null and error is null and next_try_at <= statement_timestamp()
      order by next_try_at limit 1 for no key update skip locked)
    returning source, event_id as "eventId"
  `.execute(db)
  return rows[0]
}

/** Defers an event that failed, with back-off; once its tries are exhausted, its outcome is `internal`. */
export async function deferEvent(
  db: Db,
  { source, eventId }: EventKey,
): Promise<{ tries: number; exhausted: boolean }> {
  const { rows } = await sql<{ tries: number; exhausted: boolean }>`
    update event set tries = tries + 1, next_try_at = ${backOff},
      error = case when tries + 1 >= ${maxTries} then 'internal' end
    where source = ${source} and event_id = ${eventId} and unit_id is null and error is null
    returning tries, error is not null as "exhausted"
  `.execute(db)
  return rows[0] ?? { tries: 0, exhausted: false }
}

/**
 * Reopens all failed events of a binding, except those that were recorded without their data; returns their keys, oldest
 * first. The caller itself processes up to `atOnce` of them.
 */
export async function reopenEvents(
  trx: Trx,
  { source, type, keyIds }: { source: string; type: string; keyIds: string[] | null },
  atOnce: number,
): Promise<EventKey[]> {
  const { rows } = await sql<EventKey>`
    with reopened as (
      update event set error = null, details = null, tries = 0, next_try_at = ${inSeconds(graceFor(atOnce))}
      where source = ${source} and type = ${type} and unit_id is null and error <> 'invalid_event'
        and (${keyIds}::text[] is null or key_id = any(${keyIds}::text[]))
      returning source, event_id, received_at
    )
    select source, event_id as "eventId" from reopened order by received_at, event_id
  `.execute(trx)
  return rows
}

/** Reopens one failed event, for the caller to process. Returns false if it has not failed, or is invalid. */
export async function reopenEvent(trx: Trx, { source, eventId }: EventKey): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('event')
    .set({ error: null, details: null, tries: 0, next_try_at: inSeconds(graceFor(1)) })
    .where('source', '=', source)
    .where('event_id', '=', eventId)
    .where('error', '<>', 'invalid_event')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Signatures that one round deletes. */
const signaturesPerRound = 250

/**
 * Deletes signatures past the replay window, the oldest first; what they signed is rejected as stale by then. Returns
 * whether there may be more.
 */
export async function deleteExpiredSignatures(db: Db): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from event_signature where digest in (
      select digest from event_signature
      where received_at < statement_timestamp() - make_interval(secs => ${limits.replayWindowSeconds})
      order by received_at limit ${signaturesPerRound})`.execute(db)
  return Number(numAffectedRows) === signaturesPerRound
}

/** A request processes its events one after another. */
function graceFor(events: number): number {
  return graceSeconds.request + events * graceSeconds.event
}

function inSeconds(seconds: number) {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${sql.lit(seconds)})`
}

/** An event without an outcome for longer than this is overdue; seconds. */
const overdueAfterSeconds = 60

/** Overdue events (`overdue`), and events that ended in an internal error (`failed`). */
export async function countEvents(db: Db): Promise<{ overdue: number; failed: number }> {
  const { rows } = await sql<{ overdue: number; failed: number }>`
    select (select count(*) from event where unit_id is null and error is null
        and received_at < clock_timestamp() - make_interval(secs => ${overdueAfterSeconds}))::integer as overdue,
      (select count(*) from event where error = 'internal')::integer as failed
  `.execute(db)
  return rows[0]!
}

/** Sets the acquisition of subjects that have none; locks them in order, so that two events do not deadlock. */
export async function setAcquisition(trx: Trx, uids: string[], source: string): Promise<void> {
  await sql`
    update subject set acquisition_source = ${source}, updated_at = clock_timestamp()
    where acquisition_source is null and id in (
      select id from subject where uid = any(${uids}::text[]) and acquisition_source is null
      order by id for no key update)
  `.execute(trx)
}
