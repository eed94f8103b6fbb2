import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { CanonicalMessage } from '../../../contract/messages/content.ts'
import type { Db, Trx } from '../../connect.ts'

/** A message, as needed to handle a tap in it. */
export type TappedMessage = {
  unitId: string
  frozen: CanonicalMessage[] | null
  /** It has expired and takes no more answers. */
  over: boolean
  /** It was or is being sent to this person: a tap may arrive before the outcome of its call is written. */
  received: boolean
}

/** The message of a tap; undefined if it does not exist. */
export async function findTappedMessage(
  db: Db | Trx,
  { messageId, subjectId }: { messageId: string; subjectId: string },
): Promise<TappedMessage | undefined> {
  const { rows } = await sql<TappedMessage>`
    select m.unit_id as "unitId", content.frozen,
      coalesce(m.expires_at <= clock_timestamp(), false) as over,
      exists (
        select from wave join delivery on delivery.wave_id = wave.id
        where wave.message_id = m.id and delivery.subject_id = ${subjectId} and delivery.state <> 'skipped'
      ) as received
    from message m left join message_content content on content.message_id = m.id
    where m.id = ${messageId}
  `.execute(db)
  return rows[0]
}

/** A recipient pressed an option or action of a message. Pressing it again changes nothing. */
export type Answer = {
  messageId: string
  subjectId: string
  n: number
  o: string
  optionId: string | null
  channel: Channel
}

/** Stores an answer, once per person and option. */
export async function insertAnswer(db: Db | Trx, answer: Answer): Promise<void> {
  const { messageId, subjectId, n, o, optionId, channel } = answer
  await db
    .insertInto('message_answer')
    .values({ message_id: messageId, subject_id: subjectId, n, o, option_id: optionId, channel })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Stores that this person opts out of the message's reminder. */
export async function insertDoNotRemind(db: Db | Trx, messageId: string, subjectId: string): Promise<void> {
  await db
    .insertInto('do_not_remind')
    .values({ message_id: messageId, subject_id: subjectId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Number of people known to have read a message, and of people who opted out of its reminder. */
export type ReminderResponse = { read: number; doNotRemind: number }

/** A read mark in the inbox, an answer or an opt-out counts as read. */
export async function countReminderResponse(db: Db, messageId: string): Promise<ReminderResponse> {
  const { rows } = await sql<ReminderResponse>`
    select (select count(*) from (
        select subject_id from do_not_remind where message_id = ${messageId}
        union select subject_id from message_answer where message_id = ${messageId}
        union select mark.subject_id from wave join inbox_read mark on mark.wave_id = wave.id
          where wave.message_id = ${messageId}
      ) as read)::integer as read,
      (select count(*) from do_not_remind where message_id = ${messageId})::integer as "doNotRemind"
  `.execute(db)
  return rows[0]!
}
