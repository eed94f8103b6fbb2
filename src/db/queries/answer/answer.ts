import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Channel, Locale } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { CanonicalMessage, PostbackData } from '../../../contract/messages/content.ts'
import type { ChatSender } from '../../../domain/content/sending-unit.ts'
import type { Approval } from '../../../domain/rights/approval.ts'
import type { Db, Trx } from '../../connect.ts'

/** A message, as needed to handle a tap in it. */
export type TappedMessage = {
  unitId: string
  frozen: CanonicalMessage[] | null
  /** It has expired and takes no more answers. */
  over: boolean
  /**
   * The first wave that sent it or sends it to this person: a tap may arrive before the outcome of its call is written.
   * Null: none.
   */
  waveId: string | null
  /** What the chat answers a tap, to a reader of `locale` and as the unit appears, and who wrote it; null: nothing. */
  acknowledgement: { text: LocalisedText; approval: Approval | null } | null
  locale: Locale
  sender: ChatSender | null
}

/** The message of a tap; undefined if it does not exist. */
export async function findTappedMessage(
  db: Db | Trx,
  { messageId, subjectId }: { messageId: string; subjectId: string },
): Promise<TappedMessage | undefined> {
  const { rows } = await sql<TappedMessage>`
    select m.unit_id as "unitId", content.frozen,
      coalesce(m.expires_at <= clock_timestamp(), false) as over, ${acknowledgement} as acknowledgement, unit.sender, subject.locale,
      (
        select wave.id from wave join delivery on delivery.wave_id = wave.id
        where wave.message_id = m.id and delivery.subject_id = ${subjectId} and delivery.state <> 'skipped'
        order by wave.number limit 1
      ) as "waveId"
    from message m left join message_content content on content.message_id = m.id
      join category on category.id = m.category_id
      join unit on unit.id = m.unit_id
      join subject on subject.id = ${subjectId}
    where m.id = ${messageId}
  `.execute(db)
  return rows[0]
}

/**
 * The words of a `category` and who answers for them: the system administrator who wrote them, which puts them in
 * force.
 */
const acknowledgement = sql`case when category.acknowledgement is not null then jsonb_build_object(
        'text', category.acknowledgement, 'approval', case when category.acknowledgement_by is not null then
          jsonb_build_object('of', 'category', 'id', category.id, 'version', null, 'by', category.acknowledgement_by) end) end`

/** A recipient pressed an option or action of a message; `at`: when, if not now. */
type Answer = {
  messageId: string
  subjectId: string
  question: string
  n: number
  o: string
  optionId: string
  data: PostbackData | null
  channel: Channel
  at: Date | null
}

/**
 * Stores a person's last answer to a question: an answer older than the stored one changes nothing. Returns whether the
 * person's choice changed.
 */
export async function insertAnswer(db: Db | Trx, answer: Answer): Promise<boolean> {
  const { messageId, subjectId, question, n, o, optionId, data, channel, at } = answer
  const { rows } = await sql<{ changed: boolean }>`
    with signalled as (${readSignal(messageId)})
    insert into message_answer as answer (message_id, subject_id, question, n, o, option_id, data, channel, at)
    values (${messageId}, ${subjectId}, ${question}, ${n}, ${o}, ${optionId}, ${data && JSON.stringify(data)},
      ${channel}, least(${at}::timestamptz, clock_timestamp()))
    on conflict (message_id, subject_id, question) do update set o = excluded.o, option_id = excluded.option_id,
      data = excluded.data, channel = excluded.channel, at = excluded.at
    where answer.at <= excluded.at
    returning old.o is distinct from new.o as changed
  `.execute(db)
  return rows[0]?.changed ?? false
}

/** Has the readers of a message counted again (src/db/queries/metrics/count-reads.ts). */
function readSignal(messageId: string): RawBuilder<unknown> {
  return sql`insert into read_signal (message_id) values (${messageId})`
}

/** The number of people who chose each option of a message, by its id; and of those who answered anything. */
export type AnswerCounts = { byOption: Record<string, number>; people: number }

/** Counts who answered a message, in one reading of the answers. */
export function answerCounts(messageId: Expression<string>): RawBuilder<AnswerCounts> {
  return sql<AnswerCounts>`(
    select jsonb_build_object(
      'byOption', coalesce(jsonb_object_agg(option_id, n) filter (where option_id is not null), '{}'),
      'people', coalesce(max(n) filter (where option_id is null), 0))
    from (
      select option_id, count(distinct subject_id) as n from message_answer where message_id = ${messageId}
      group by grouping sets ((option_id), ())) as counted)`
}

/** Stores that this person opts out of the message's reminder. */
export async function insertDoNotRemind(db: Db | Trx, messageId: string, subjectId: string): Promise<void> {
  await sql`
    with signalled as (${readSignal(messageId)})
    insert into do_not_remind (message_id, subject_id) values (${messageId}, ${subjectId}) on conflict do nothing
  `.execute(db)
}

/** Number of people known to have read a message, and of people who opted out of its reminder. */
type ReminderResponse = { read: number; doNotRemind: number }

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
