import { sql } from 'kysely'
import type { Db } from '../connect.ts'

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
