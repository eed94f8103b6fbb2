import { sql } from 'kysely'
import type { CanonicalMessage } from '../../contract/canonical-message.ts'
import type { Db, Trx } from '../connect.ts'

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
