import type { Channel } from '../../domain/channel-plan.ts'
import type { Db, Trx } from '../connect.ts'

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
