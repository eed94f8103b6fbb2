import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { CanonicalMessage } from '../../../contract/messages/content.ts'
import type { Db, Trx } from '../../connect.ts'

/** A message as somebody who presses something in it meets it. */
export type TappedMessage = {
  unitId: string
  frozen: CanonicalMessage[] | null
  /** It takes no answers any more. */
  over: boolean
  /** It was sent to this person, or is being sent; the provider may be faster than our own rows. */
  received: boolean
}

/** Undefined where there is no such message. */
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

/** Somebody pressed something in a message. The same press again changes nothing. */
export type Answer = {
  messageId: string
  subjectId: string
  n: number
  o: string
  optionId: string | null
  channel: Channel
}

/** Writes an answer down, once for each person and option. */
export async function insertAnswer(db: Db | Trx, answer: Answer): Promise<void> {
  const { messageId, subjectId, n, o, optionId, channel } = answer
  await db
    .insertInto('message_answer')
    .values({ message_id: messageId, subject_id: subjectId, n, o, option_id: optionId, channel })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** This person is not to be reminded of the message. */
export async function insertDoNotRemind(db: Db | Trx, messageId: string, subjectId: string): Promise<void> {
  await db
    .insertInto('do_not_remind')
    .values({ message_id: messageId, subject_id: subjectId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** People who showed that they read a message, and people who asked not to be reminded of it. */
export type ReminderResponse = { read: number; doNotRemind: number }

/** Reading shows by a read mark in the inbox, by an answer, or by asking for no reminder. */
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
