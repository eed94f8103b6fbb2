import { type RawBuilder, sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { PostbackData } from '../../../contract/messages/content.ts'
import type { Trx } from '../../connect.ts'
import { afterOlder, lastWaiting } from './sequence.ts'

/** An answer that is reported to the callbacks of the message's unit. */
type ReportedAnswer = {
  unitId: string
  messageId: string
  subjectId: string
  optionId: string
  data: PostbackData | null
}

const ofMessage = { callbackId: sql`callbacks.callback_id`, objectId: sql`m.id` }

/**
 * Writes the deliveries for an answer, in its transaction. Callbacks that may name people receive `message.answered`;
 * the others that subscribe to answers receive `message.answer_counts` with the counts, at most once a minute. For units
 * without such a callback it costs one index lookup.
 */
export async function insertAnswerCallbacks(trx: Trx, answer: ReportedAnswer): Promise<void> {
  const { unitId, messageId, subjectId, optionId, data } = answer
  const { rows: callbacks } = await sql<{ id: string; named: boolean; counted: boolean }>`
    select c.id, named, 'message.answer_counts' = any(c.types) or ('message.answered' = any(c.types) and not named) as counted
    from callback as c, lateral (select 'message.answered' = any(c.types) and ${mayNamePeople} as named) as rights
    where c.unit_id = ${unitId} and c.enabled and c.types && array['message.answered', 'message.answer_counts']
    order by c.id for key share of c
  `.execute(trx)
  const idsOf = (which: (callback: (typeof callbacks)[number]) => boolean) =>
    callbacks.filter(which).map(({ id }) => id)
  const named = idsOf((callback) => callback.named)
  if (named.length > 0)
    await sql`
      insert into callback_delivery (callback_id, message_id, type, state, version, subject_id, data, next_try_at)
      select callback_id, m.id, 'message.answered', m.state, m.version, ${subjectId}::uuid,
        ${JSON.stringify({ optionId, data })}::jsonb,
        ${afterOlder({ ...ofMessage, sequence: sql`${subjectId}` })}
      from unnest(${named}::uuid[]) as callbacks (callback_id), message as m where m.id = ${messageId}
    `.execute(trx)
  const counted = idsOf((callback) => callback.counted)
  if (counted.length > 0) await announceAnswers(trx, counted, messageId)
}

/** The address of callback `c` was written by an active key with individual targeting. */
export const mayNamePeople: RawBuilder<boolean> = sql<boolean>`exists (select from producer_key as k
      where k.id = substr(c.url_by, 5) and c.url_by like 'key:%' and k.revoked_at is null and k.individual_targeting)`

/**
 * Makes sure that these callbacks, in the order of their ids, will receive counts that contain this transaction's
 * answer: by a delivery that no worker has taken yet, which is locked until the commit, or by a new one.
 */
export async function announceAnswers(trx: Trx, callbackIds: string[], messageId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select callback_id as id from callback_delivery
    where callback_id = any(${callbackIds}::uuid[]) and message_id = ${messageId}
      and type = 'message.answer_counts' and outcome = 'pending' and tries = 0
    order by callback_id for share
  `.execute(trx)
  const missing = callbackIds.filter((id) => !rows.some((row) => row.id === id))
  if (missing.length === 0) return
  await sql`
    insert into callback_delivery (callback_id, message_id, type, state, version, at, next_try_at)
    select callback_id, m.id, 'message.answer_counts', m.state, m.version, clock.now, greatest(
      clock.now + ${answersPause},
      ${lastWaiting({ ...ofMessage, sequence: sql.lit('answers') })})
    from unnest(${missing}::uuid[]) as callbacks (callback_id), message as m,
      (select clock_timestamp() as now) as clock -- read once: the pause counts from \`at\`
    where m.id = ${messageId}
    order by callback_id
    on conflict (callback_id, message_id) where type = 'message.answer_counts' and outcome = 'pending' and tries = 0
      do update set next_try_at = callback_delivery.next_try_at
  `.execute(trx)
}

/** Between an answer and the counts that contain it, and so between two deliveries of counts. */
export const answersPause: RawBuilder<unknown> = sql`make_interval(secs => ${sql.lit(limits.answersEverySeconds)})`
