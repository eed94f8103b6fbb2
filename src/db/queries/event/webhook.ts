import { sql } from 'kysely'
import type { Channel, WebhookSource } from '../../../contract/enums.ts'
import type { ReceivedEvent } from '../../../domain/event/received-event.ts'
import { backOff, maxTries } from '../../back-off.ts'
import type { Db, Trx } from '../../connect.ts'
import { isSameAddress } from '../subject/address.ts'

/** A webhook event to store. `addressHash`: the hash of its address; undefined if its key is not at hand. */
export type NewWebhookEvent = ReceivedEvent & { addressHash?: Buffer | undefined }

/** Number of new events: those to apply, and unreadable ones. */
export type StoredEvents = { stored: number; unreadable: number }

/**
 * The unit that an event is about: by what it names, and else by the newest conversation of its person, while that is open.
 * Of what cannot be known yet there is none.
 */
const unitOfEvent = sql`coalesce(
          (select unit_id from scenario_run where id = "runId"),
          (select unit_id from message where id = "messageId"),
          (select unit_id from scenario_trigger join scenario on scenario.id = scenario_id
            where scenario_trigger.trigger = input.trigger),
          (select case when closed_at is null then unit_id end from scenario_run as run
            where run.subject_id = coalesce(subject.id, address.subject_id) order by run.id desc limit 1))`

/** Stores a channel's events, in the order in which they are given; repeated ones are ignored. */
export async function insertWebhookEvents(
  db: Db,
  channel: WebhookSource,
  events: NewWebhookEvent[],
): Promise<StoredEvents> {
  const addressed = addressChannel(channel)
  const rows = events.map(({ addressHash, about, ...event }) => ({
    ...event,
    ...about,
    hash: addressHash?.toString('hex') ?? null,
  }))
  if (events.length === 0) return { stored: 0, unreadable: 0 }
  const { rows: counted } = await sql<StoredEvents>`
    with inserted as (
      insert into webhook_event (channel, event_id, type, address, address_hash, subject_id, occurred_at, payload,
        unit_id, outcome, done_at)
      select ${channel}, "eventId", type, input.address, decode(input.hash, 'hex'), coalesce(subject.id, address.subject_id), "occurredAt", payload,
        ${unitOfEvent}, outcome, case when outcome is not null then clock_timestamp() end
      from rows from (jsonb_to_recordset(${JSON.stringify(rows)}) as ("eventId" text, type text, address text, hash text,
          "subjectId" uuid, "occurredAt" timestamptz, payload jsonb, outcome text, trigger text, "runId" uuid, "messageId" uuid))
          with ordinality as input ("eventId", type, address, hash, "subjectId", "occurredAt", payload, outcome, trigger,
            "runId", "messageId", ordinal)
        left join lateral (select id from subject where subject.id = "subjectId" offset 0) as subject on true
        left join address on address.channel = ${sql.lit(addressed)}
          and ${isSameAddress(addressed, sql.ref('address.address'), sql.ref('input.address'))}
      order by ordinal
      on conflict do nothing
      returning outcome
    )
    select count(*) filter (where outcome is null) as stored, count(outcome) as unreadable from inserted
  `.execute(db)
  return counted[0]!
}

/** The channel on which the addresses of a webhook's events are: the assistant's people are in the chat. */
export function addressChannel(source: WebhookSource): Channel {
  return source === 'avatar' ? 'chat' : source
}

export type WebhookEvent = {
  id: string
  channel: WebhookSource
  type: string
  address: string | null
  subjectId: string | null
  occurredAt: Date
  receivedAt: Date
  payload: unknown
}

/**
 * Takes the next event, to be applied in this transaction. The events of an address are applied one at a time and in the
 * order they arrived, across all workers; a deferred event holds back those behind it. The addresses take turns by unit
 * (docs/design/queues-and-fairness.md), so that one with many events holds back only its own.
 */
export async function takeWebhookEvent(trx: Trx): Promise<WebhookEvent | undefined> {
  return (await takeFirst(trx)) ?? ((await resumeAddresses(trx)) ? takeFirst(trx) : undefined)
}

/** More than all workers apply at a time. */
const headsInHand = 100

/**
 * Looks at the first event of one address after the other until one is free. By the limit and the lateral join Postgres
 * takes them one by one from the index, whatever statistics say, which are mostly made while nothing is pending.
 */
async function takeFirst(trx: Trx): Promise<WebhookEvent | undefined> {
  const { rows } = await sql<WebhookEvent>`
    select event.*
    from (
      select first_id, round from webhook_head where round is not null order by round, first_id limit ${headsInHand}
    ) as head
      cross join lateral (
        select id, channel, type, address, subject_id as "subjectId", occurred_at as "occurredAt",
          received_at as "receivedAt", payload
        from webhook_event where id = head.first_id and done_at is null for update skip locked
      ) as event
    order by head.round, head.first_id limit 1
  `.execute(trx)
  return rows[0]
}

/** Addresses that take turns again at once, after their first events were put off. */
const resumedAtOnce = 100

async function resumeAddresses(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ resumed: number }>`
    select resume_webhook_heads(${resumedAtOnce})::integer as resumed
    where exists (select from webhook_head where due_at <= clock_timestamp())`.execute(trx)
  return rows[0] !== undefined && rows[0].resumed > 0
}

/**
 * Locks the events of a person that are not applied yet, for an erasure: to apply an event locks it before the runs,
 * handoffs and people that it concerns.
 */
export async function lockPendingEvents(trx: Trx, subjectId: string): Promise<void> {
  await sql`
    select from webhook_event where done_at is null and (subject_id = ${subjectId}
      or address in (select address from address where subject_id = ${subjectId}))
    order by id for update
  `.execute(trx)
}

/** Writes the outcome of an event, and the subject it concerns. `replied`: its reply token is used. */
export async function endWebhookEvent(
  trx: Trx,
  id: string,
  { outcome, subjectId, replied }: { outcome: string; subjectId: string | null; replied: boolean },
): Promise<void> {
  await trx
    .updateTable('webhook_event')
    .set({
      outcome,
      subject_id: subjectId,
      done_at: sql<Date>`clock_timestamp()`,
      ...(replied && { reply_used_at: sql<Date>`clock_timestamp()` }),
    })
    .where('id', '=', id)
    .execute()
}

/** Defers an event that failed, with back-off; once its tries are exhausted, its outcome is `failed`. */
export async function deferWebhookEvent(db: Db, id: string): Promise<{ tries: number; exhausted: boolean }> {
  const { rows } = await sql<{ tries: number; exhausted: boolean }>`
    update webhook_event set tries = tries + 1, next_try_at = ${backOff},
      outcome = case when tries + 1 >= ${maxTries} then 'failed' end,
      done_at = case when tries + 1 >= ${maxTries} then clock_timestamp() end
    where id = ${id} and done_at is null
    returning tries, done_at is not null as "exhausted"
  `.execute(db)
  return rows[0] ?? { tries: 0, exhausted: false }
}

/**
 * Serialises changes of who follows or blocks the account at this chat address, until the transaction ends. Call it
 * before locking any row of the person. Later statements see the changes it waited for.
 */
export async function lockFollows(trx: Trx, address: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`chat ${address}`}, 0))`.execute(trx)
}

/** Whether a later event of these types has already been applied for the same address. */
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

/** The last follow or unfollow of a chat address; undefined if there is none. `recent`: within a day. */
export async function lastFollow(
  trx: Trx,
  address: string,
): Promise<{ id: string; type: string; recent: boolean } | undefined> {
  return trx
    .selectFrom('webhook_event')
    .select(['id', 'type'])
    .select(sql<boolean>`occurred_at > clock_timestamp() - interval '24 hours'`.as('recent'))
    .where('channel', '=', 'chat')
    .where('address', '=', address)
    .where('type', 'in', ['follow', 'unfollow'])
    .orderBy('occurred_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A pending event older than this is overdue; seconds. */
const overdueAfterSeconds = 60

/** Webhook events that are overdue (`overdue`), exhausted (`failed`) and unreadable. */
export async function countWebhookEvents(
  db: Db,
): Promise<{ overdue: number; failed: number; unreadable: number }> {
  const { rows } = await sql<{ overdue: number; failed: number; unreadable: number }>`
    select (select count(*) from webhook_event where done_at is null
        and received_at < clock_timestamp() - make_interval(secs => ${overdueAfterSeconds}))::integer as overdue,
      (select count(*) from webhook_event where outcome = 'failed')::integer as failed,
      (select count(*) from webhook_event where outcome = 'unreadable')::integer as unreadable
  `.execute(db)
  return rows[0]!
}
