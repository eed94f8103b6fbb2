import { sql } from 'kysely'
import type { Channel, DeliveryState, MessageState } from '../../src/contract/enums.ts'
import type { Db } from '../../src/db/connect.ts'

/** A wave to compare with a journal; wave by wave, so that the rows fit in memory. */
export type WaveToCheck = { waveId: string; messageId: string; state: MessageState }

/** Waves with calls to the chat provider, in the order of creation. */
export async function wavesWithCalls(db: Db): Promise<WaveToCheck[]> {
  return db
    .selectFrom('wave as w')
    .innerJoin('message as m', 'm.id', 'w.message_id')
    .select(['w.id as waveId', 'm.id as messageId', 'm.state'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('call')
          .select('call.wave_id')
          .whereRef('call.wave_id', '=', 'w.id')
          .where('channel', '=', 'chat'),
      ),
    )
    .orderBy('w.id')
    .execute()
}

export type CallToCheck = {
  retryKey: string
  batch: number
  callNumber: number
  accepted: boolean
}

/** The calls of a wave to the chat provider. */
export async function callsToCheck(db: Db, waveId: string): Promise<CallToCheck[]> {
  return db
    .selectFrom('call')
    .select(['retry_key as retryKey', 'batch', 'call_number as callNumber'])
    .select(sql<boolean>`state = 'accepted'`.as('accepted'))
    .where('wave_id', '=', waveId)
    .where('channel', '=', 'chat')
    .execute()
}

/** Waves with deliveries by mail, in the order of creation. */
export async function wavesByMail(db: Db): Promise<WaveToCheck[]> {
  return db
    .selectFrom('wave as w')
    .innerJoin('message as m', 'm.id', 'w.message_id')
    .select(['w.id as waveId', 'm.id as messageId', 'm.state'])
    .where(sql<boolean>`w.by_channel ? 'email'`)
    .orderBy('w.id')
    .execute()
}

/** The deliveries of a wave by mail that were not skipped from the start. */
export async function mailedDeliveries(
  db: Db,
  waveId: string,
): Promise<{ subjectId: string; state: DeliveryState; reason: string | null }[]> {
  return db
    .selectFrom('delivery')
    .select(['subject_id as subjectId', 'state', 'reason'])
    .where('wave_id', '=', waveId)
    .where('channel', '=', 'email')
    .where('batch', 'is not', null)
    .execute()
}

/** The longest time (s) between the last eligibility check and the first try after it. */
const lookAheadSeconds = 2

/**
 * Recipients of a wave's calls who had, before that check, blocked the account (or whose address was suppressed),
 * withdrawn consent or unsubscribed from the topic.
 */
export async function recipientsClosedBefore(
  db: Db,
  waveId: string,
  channel: Channel,
): Promise<{ retryKey: string; subjectId: string }[]> {
  const { rows } = await sql<{ retryKey: string; subjectId: string }>`
    select call.retry_key as "retryKey", member.subject_id as "subjectId"
    from call
    join wave on wave.id = call.wave_id
    join message on message.id = wave.message_id
    join category on category.id = message.category_id
    cross join unnest(call.subject_ids) as member (subject_id)
    join subject on subject.id = member.subject_id -- excludes erased subjects, whose rows are deleted
    cross join lateral (
      select call.first_try_at - make_interval(secs => ${lookAheadSeconds}) as at
    ) as looked
    where call.wave_id = ${waveId} and call.channel = ${channel} and (
      exists (
        select from address left join suppression using (channel, hash)
        where address.subject_id = member.subject_id and address.channel = call.channel
          and least(blocked_at, since) < looked.at
      )
      or category.consent_scope is not null and not exists (
        select from consent
        where consent.subject_id = member.subject_id and scope = category.consent_scope
          and granted_at <= call.first_try_at and (withdrawn_at is null or withdrawn_at >= looked.at)
      )
      or category.layer <> 'mandatory' and exists (
        select from topic_unsubscribe as left_topic
        where left_topic.subject_id = member.subject_id and left_topic.topic_id = message.topic_id
          and left_topic.at < looked.at
      )
    )`.execute(db)
  return rows
}

/** Recipients of a reminder's calls who had opted out of it before the check that precedes the first try. */
export async function recipientsOptedOut(
  db: Db,
  waveId: string,
  channel: Channel,
): Promise<{ retryKey: string; subjectId: string }[]> {
  const { rows } = await sql<{ retryKey: string; subjectId: string }>`
    select call.retry_key as "retryKey", subject_id as "subjectId"
    from call
    join wave on wave.id = call.wave_id and wave.number = 1
    join do_not_remind using (message_id)
    where call.wave_id = ${waveId} and call.channel = ${channel} and subject_id = any(call.subject_ids)
      and do_not_remind.at < call.first_try_at - make_interval(secs => ${lookAheadSeconds})`.execute(db)
  return rows
}

/** Deliveries by chat with state `sent` that no accepted call carried. */
export async function sentWithoutCall(db: Db, waveId: string): Promise<string[]> {
  const { rows } = await sql<{ subject_id: string }>`
    select subject_id from delivery
    where wave_id = ${waveId} and channel = 'chat' and state = 'sent'
    except
    select unnest(subject_ids) from call
    where wave_id = ${waveId} and channel = 'chat' and state = 'accepted'`.execute(db)
  return rows.map((row) => row.subject_id)
}

/** The retry keys of test messages, which only the audit log records. */
export async function testKeys(db: Db): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select jsonb_array_elements_text(details -> 'retryKeys') as key from audit where action = 'test_send'
  `.execute(db)
  return rows.map(({ key }) => key)
}
