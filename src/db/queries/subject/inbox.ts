import { sql } from 'kysely'
import type { Channel, DeliveryState, MessageKind } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../../contract/messages/content.ts'
import type { Db } from '../../connect.ts'
import { currentApproval } from '../approval/current-approval.ts'
import { seenName } from '../identity/unit.ts'

/** A message that was, or may have been, delivered to a person; `id` is the wave's. */
export type InboxRow = {
  id: string
  messageId: string
  title: LocalisedText
  unit: { id: string; name: LocalisedText }
  category: { id: string; name: LocalisedText }
  categoryId: string
  topicId: string | null
  sentAt: Date
  expiresAt: Date | null
  readAt: Date | null
  /** null if its text is past retention, or nobody approved it. */
  messages: CanonicalMessage[] | null
}

/** `unread`: those alone that are not marked as read. */
type InboxPage = { subjectId: string; unread: boolean; after: string | null; limit: number }

/** The waves that are items of a person's inbox; read `wave`. The index `delivery_subject` finds them in every partition. */
function itemsOf(subjectId: string, unread: boolean) {
  const isUnread = sql`and not exists (
          select from inbox_read where inbox_read.wave_id = wave.id and inbox_read.subject_id = ${subjectId})`
  return sql`wave
      where wave.id = any(array(
          select wave_id from delivery where subject_id = ${subjectId} and state in ('sent', 'unknown')
        ))
        and wave.number = 0 and wave.message_id is not null and wave.started_at is not null
        ${unread ? isUnread : sql``}`
}

/** How many items of a person's inbox are not marked as read. */
export async function countUnread(db: Db, subjectId: string): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from ${itemsOf(subjectId, true)}`.execute(db)
  return rows[0]!.unread
}

/**
 * A person's received messages, newest first, after the item `after`. A message is one item however many channels it
 * was sent on, and a reminder is not a separate item. Content is read only for this page.
 */
export async function listInbox(db: Db, { subjectId, unread, after, limit }: InboxPage): Promise<InboxRow[]> {
  const { rows } = await sql<InboxRow>`
    with page as (
      select wave.id, wave.message_id, wave.started_at
      from ${itemsOf(subjectId, unread)}
        and (${after}::uuid is null
          or (wave.started_at, wave.id) < (select started_at, id from wave where id = ${after}::uuid))
      order by wave.started_at desc, wave.id desc
      limit ${limit}
    )
    select page.id, m.id as "messageId", m.title, jsonb_build_object('id', unit.id, 'name', ${seenName}) as unit,
      jsonb_build_object('id', category.id, 'name', category.name) as category,
      m.category_id as "categoryId", m.topic_id as "topicId",
      page.started_at as "sentAt", m.expires_at as "expiresAt", mark.read_at as "readAt",
      case when ${currentApproval} is not null then content.frozen end as messages
    from page
      join message m on m.id = page.message_id
      join unit on unit.id = m.unit_id
      join category on category.id = m.category_id
      left join message_content content on content.message_id = m.id
      left join inbox_read mark on mark.wave_id = page.id and mark.subject_id = ${subjectId}
    order by page.started_at desc, page.id desc
  `.execute(db)
  return rows
}

/** Marks an inbox item as read, and returns when it was first read. Undefined if the person has no such item. */
export async function markRead(db: Db, subjectId: string, waveId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ readAt: Date }>`
    with item as (
      select distinct wave_id, subject_id from delivery join wave on wave.id = wave_id and wave.number = 0
      where wave_id = ${waveId} and subject_id = ${subjectId} and delivery.state in ('sent', 'unknown')
    ),
    marked as (
      insert into inbox_read (wave_id, subject_id) select wave_id, subject_id from item
      on conflict (subject_id, wave_id) do update set read_at = inbox_read.read_at
      returning wave_id, read_at
    ),
    signalled as (
      insert into read_signal (message_id) select wave.message_id from marked join wave on wave.id = wave_id
    )
    select read_at as "readAt" from marked
  `.execute(db)
  return rows[0]?.readAt
}

export type SubjectDeliveryRow = {
  waveId: string
  messageId: string
  unitId: string
  categoryId: string
  kind: MessageKind
  title: LocalisedText
  reminder: boolean
  channel: Channel
  state: DeliveryState
  reason: string | null
  at: Date | null
}

/** The end of the previous page. */
export type DeliveryCursor = { waveId: string; channel: string }

/** When the provider was first called for a `delivery` of a `wave`; of a skipped one, when the send started. */
export const deliveredAt = sql<Date | null>`
  coalesce((
    select min(first_try_at) from call
    where call.wave_id = delivery.wave_id and call.channel = delivery.channel and call.batch = delivery.batch
  ), wave.started_at)`

/**
 * All deliveries to one person, newest first; `at` of a skipped one is when the send started. Those of the person are found
 * first, whatever the page: an index that begins with the wave is in the order of the page, but has everybody's.
 */
export async function listSubjectDeliveries(
  db: Db,
  subjectId: string,
  { after, limit }: { after: DeliveryCursor | null; limit: number },
): Promise<SubjectDeliveryRow[]> {
  const { rows } = await sql<SubjectDeliveryRow>`
    select wave.id as "waveId", m.id as "messageId", m.unit_id as "unitId", m.category_id as "categoryId", m.kind,
      m.title, wave.number > 0 as reminder, delivery.channel, delivery.state, delivery.reason,
      ${deliveredAt} as at
    from (
      select * from (select * from delivery where subject_id = ${subjectId} offset 0) as theirs
      where ${after?.waveId ?? null}::uuid is null
        or (wave_id, channel) < (${after?.waveId ?? null}::uuid, ${after?.channel ?? null})
      order by wave_id desc, channel desc limit ${limit}
    ) as delivery
      join wave on wave.id = delivery.wave_id
      join message m on m.id = wave.message_id
    order by delivery.wave_id desc, delivery.channel desc
  `.execute(db)
  return rows
}
