import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../connect.ts'

/** One kind of rows with limited retention. */
export type Purge = {
  /** Number of rows older than `before`. */
  count(db: Db, before: Date): Promise<number>
  /** Purges up to `limit` of them in one short transaction. Returns how many; 0: none are left. */
  slice(db: Db, before: Date, limit: number): Promise<number>
}

/** Lower than other limits: messages are larger, and have calls with up to 500 addresses each. */
const atOnce = 50

/**
 * Content and named recipients of closed messages: texts, variables, titles, uids, the addresses in their calls, and
 * the marks of the people who were approved. The message itself stays, with its states, snapshot and counts, titled with
 * the name of its category.
 */
export const messageBodies: Purge = {
  async count(db, before) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from message where closed_at < ${before} and purged_at is null`.execute(db)
    return rows[0]!.n
  },
  async slice(db, before, limit) {
    const { rows } = await sql<{ n: number }>`
      with old as (
        select id from message where closed_at < ${before} and purged_at is null
        order by closed_at limit ${Math.min(limit, atOnce)} for no key update skip locked
      ),
      emptied as (
        update message_content set request = '{}', frozen = null, compiled = null, compiled_reminder = null
        from old where message_id = old.id
      ),
      unaddressed as (
        update call set addresses = '{}'
        from old join wave on wave.message_id = old.id where call.wave_id = wave.id
      ),
      unmarked as (
        delete from audience_sample using old where message_id = old.id
      ),
      purged as (
        update message as m set purged_at = clock_timestamp(), title = category.name,
          audience = case m.audience ->> 'kind' when 'individual' then m.audience || '{"uids": []}' else m.audience end
        from old, category where m.id = old.id and category.id = m.category_id
        returning m.id
      )
      select count(*) as n from purged
    `.execute(db)
    return rows[0]!.n
  },
}

/** Rows of a table that are deleted. `old`: the condition for rows older than `before`. */
export function rowsOf(table: string, old: (before: Date) => RawBuilder<boolean>): Purge {
  const rows = sql.table(table)
  return {
    async count(db, before) {
      const counted = await sql<{ n: number }>`
        select count(*) as n from ${rows} as old_row where ${old(before)}`.execute(db)
      return counted.rows[0]!.n
    },
    async slice(db, before, limit) {
      const deleted = await sql`
        delete from ${rows} where ctid = any(array(
          select ctid from ${rows} as old_row where ${old(before)} limit ${limit} for update skip locked))
      `.execute(db)
      return Number(deleted.numAffectedRows ?? 0)
    },
  }
}

/** The row's message is closed. */
const closed = sql`select from message where message.id = old_row.message_id and message.closed_at is not null`

/** Recipients' answers. The wave's counters stay. */
export const answers = rowsOf(
  'message_answer',
  (before) => sql<boolean>`at < ${before} and exists (${closed})`,
)

/** Opt-outs from reminders, once the message is closed. */
export const doNotReminds = rowsOf(
  'do_not_remind',
  (before) => sql<boolean>`at < ${before} and exists (${closed})`,
)

/** Who followed links of mails. The counts of clicks and of people stay. */
export const mailClicks = rowsOf('mail_click', (before) => sql<boolean>`at < ${before}`)

/** Webhook events, once they are applied. */
export const webhooks = rowsOf(
  'webhook_event',
  (before) => sql<boolean>`received_at < ${before} and done_at is not null`,
)

/** Failed events. If sent again after this, they are processed as new ones. */
export const failedEvents = rowsOf(
  'event',
  (before) => sql<boolean>`received_at < ${before} and error is not null`,
)

/** Keeps the whole trail of a message that is not purged: `trail-leads-to-state` checks it. */
export const audit = rowsOf(
  'audit',
  (before) => sql<boolean>`at < ${before} and not (object_kind = 'message' and exists (
    select from message where message.id::text = old_row.object_id and message.purged_at is null))`,
)

/** Changes of groups, unless an open message has yet to be judged by them. */
export const groupChanges = rowsOf(
  'group_change',
  (before) => sql<boolean>`at < ${before} and not exists (
    select from audience_group as named join message on message.id = named.message_id
    where named.group_id = old_row.group_id and named.last_change < old_row.id and message.closed_at is null)`,
)

/** Finished callback deliveries. */
export const callbackDeliveries = rowsOf(
  'callback_delivery',
  (before) => sql<boolean>`at < ${before} and outcome <> 'pending'`,
)

/** Finished notices to approvers. */
export const notices = rowsOf(
  'notice',
  (before) => sql<boolean>`created_at < ${before} and state <> 'waiting'`,
)

/** Finished notices to authors. */
export const authorNotices = rowsOf(
  'author_notice',
  (before) => sql<boolean>`created_at < ${before} and state <> 'waiting'`,
)

/** Finished notices about handoffs. */
export const handoffNotices = rowsOf(
  'handoff_notice',
  (before) => sql<boolean>`created_at < ${before} and state <> 'waiting'`,
)

/** Expired and ended sessions. */
export const sessions = rowsOf('session', (before) => sql<boolean>`least(expires_at, ended_at) < ${before}`)

/** Finished imports, with their rejected lines. */
export const imports = rowsOf(
  'import',
  (before) => sql<boolean>`finished_at < ${before} and state = 'completed'`,
)

/**
 * Content of events that created a message or started runs. Source, id and outcome stay: sent again, the event is a
 * duplicate.
 */
export const eventData: Purge = {
  async count(db, before) {
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from event where ${hasOldData(before)}`.execute(db)
    return rows[0]!.n
  },
  async slice(db: Db, before, limit) {
    const cleared = await sql`
      update event set data = '{}', subject_uids = '{}' where ctid = any(array(
        select ctid from event where ${hasOldData(before)} limit ${limit} for update skip locked))
    `.execute(db)
    return Number(cleared.numAffectedRows ?? 0)
  },
}

function hasOldData(before: Date): RawBuilder<boolean> {
  return sql<boolean>`received_at < ${before} and unit_id is not null and (data <> '{}' or subject_uids <> '{}')`
}
