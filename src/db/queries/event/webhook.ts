import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import { backOff, maxTries } from '../../back-off.ts'
import type { Db, Trx } from '../../connect.ts'

/** One thing a channel told us. `eventId`: the provider's own name for it. `outcome`: of one that ends as it is stored. */
export type NewWebhookEvent = {
  eventId: string
  type: string
  address: string | null
  subjectId: string | null
  occurredAt: string
  payload: unknown
  outcome: 'unreadable' | null
}

/** How many events were new: those to be worked off, and the others. */
export type StoredEvents = { stored: number; unreadable: number }

/** Stores what a channel told; what it has told before is left alone. */
export async function insertWebhookEvents(
  db: Db,
  channel: Channel,
  events: NewWebhookEvent[],
): Promise<StoredEvents> {
  if (events.length === 0) return { stored: 0, unreadable: 0 }
  const { rows } = await sql<StoredEvents>`
    with inserted as (
      insert into webhook_event (channel, event_id, type, address, subject_id, occurred_at, payload, outcome, done_at)
      select ${channel}, "eventId", type, given.address, coalesce(subject.id, address.subject_id), "occurredAt", payload,
        outcome, case when outcome is not null then clock_timestamp() end
      from jsonb_to_recordset(${JSON.stringify(events)}) as given ("eventId" text, type text, address text,
          "subjectId" uuid, "occurredAt" timestamptz, payload jsonb, outcome text)
        left join subject on subject.id = "subjectId"
        left join address on address.channel = ${channel} and address.address = given.address
      on conflict do nothing
      returning outcome
    )
    select count(*) filter (where outcome is null) as stored, count(outcome) as unreadable from inserted
  `.execute(db)
  return rows[0]!
}

export type WebhookEvent = {
  id: string
  channel: Channel
  type: string
  address: string | null
  subjectId: string | null
  occurredAt: Date
  payload: unknown
}

/**
 * Takes the next event, to be worked off in this transaction. An address' events come one at a time and in the order in
 * which they came in, whoever works them off; one that is put off holds back those behind it.
 */
export async function takeWebhookEvent(trx: Trx): Promise<WebhookEvent | undefined> {
  const { rows } = await sql<WebhookEvent>`
    select id, channel, type, address, subject_id as "subjectId", occurred_at as "occurredAt", payload
    from webhook_event event
    where done_at is null and next_try_at <= clock_timestamp() and not exists (
      select from webhook_event earlier
      where earlier.channel = event.channel and earlier.address = event.address and earlier.id < event.id
        and earlier.done_at is null
    )
    order by id limit 1 for update skip locked
  `.execute(trx)
  return rows[0]
}

/** Writes what came of an event, and whom it was about. */
export async function endWebhookEvent(
  trx: Trx,
  id: string,
  { outcome, subjectId }: { outcome: string; subjectId: string | null },
): Promise<void> {
  await trx
    .updateTable('webhook_event')
    .set({ outcome, subject_id: subjectId, done_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

/** An event could not be worked off: it comes again, later each time, and at last is given up. */
export async function deferWebhookEvent(db: Db, id: string): Promise<{ tries: number; givenUp: boolean }> {
  const { rows } = await sql<{ tries: number; givenUp: boolean }>`
    update webhook_event set tries = tries + 1, next_try_at = ${backOff},
      outcome = case when tries + 1 >= ${maxTries} then 'failed' end,
      done_at = case when tries + 1 >= ${maxTries} then clock_timestamp() end
    where id = ${id} and done_at is null
    returning tries, done_at is not null as "givenUp"
  `.execute(db)
  return rows[0] ?? { tries: 0, givenUp: false }
}

/**
 * Lets nobody else say who has opened or closed the chat at this address until the transaction ends; before any row of
 * the person's is locked. What was waited for is seen by the statements that follow.
 */
export async function lockFollows(trx: Trx, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`chat ${address}`}, 0))`.execute(trx)
}

/** Whether something of these kinds that happened later has been worked off for the same address already. */
export async function isSuperseded(trx: Trx, event: WebhookEvent, types: string[]): Promise<boolean> {
  const later = await trx
    .selectFrom('webhook_event')
    .select('id')
    .where('channel', '=', event.channel)
    .where('address', '=', event.address)
    .where('type', 'in', types)
    .where('occurred_at', '>', event.occurredAt)
    .where('done_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return later !== undefined
}

/** What an address of the chat did last: follow, or unfollow; undefined where neither is known. */
export async function lastFollow(trx: Trx, address: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('webhook_event')
    .select('type')
    .where('channel', '=', 'chat')
    .where('address', '=', address)
    .where('type', 'in', ['follow', 'unfollow'])
    .orderBy('occurred_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.type
}

/** Longer than this an event waits only where something is wrong (s). */
const lateAfterSeconds = 60

/** Events of channels that should have been worked off by now, those that were given up, and those that say nothing. */
export async function countWebhookEvents(
  db: Db,
): Promise<{ late: number; failed: number; unreadable: number }> {
  const { rows } = await sql<{ late: number; failed: number; unreadable: number }>`
    select (select count(*) from webhook_event where done_at is null
        and received_at < clock_timestamp() - make_interval(secs => ${lateAfterSeconds}))::integer as late,
      (select count(*) from webhook_event where outcome = 'failed')::integer as failed,
      (select count(*) from webhook_event where outcome = 'unreadable')::integer as unreadable
  `.execute(db)
  return rows[0]!
}
