import { type RawBuilder, sql } from 'kysely'
import type { Channel, RegistrationState } from '../../../contract/enums.ts'
import type { PostbackData } from '../../../contract/messages/content.ts'
import type { Db } from '../../connect.ts'
import { contains } from '../../contains.ts'
import { type RowPage, unplanned } from '../../rows.ts'

/**
 * Which people: what they answered since `from` is read (null: all of it); `q`: a part of their name, or their uid.
 */
type Which = { from: Date | null; q: string | undefined }

/** A person, and when they answered last. */
type Respondent = { subjectId: string | null; uid: string | null; displayName: string | null }

/** `question`: its place, counted from 0. Times are as Postgres writes them into JSON. */
export type MessageRespondentRow = Respondent & {
  subjectId: string
  answers: { question: string; optionId: string; data: PostbackData | null; channel: Channel; at: string }[]
}

/** A page of who answered a message, by subject: read from the primary key of its answers. */
export async function listMessageRespondents(
  db: Db,
  messageId: string,
  { from, q, optionId }: Which & { optionId: string | undefined },
  { after, limit }: RowPage,
): Promise<MessageRespondentRow[]> {
  const { rows } = await sql<MessageRespondentRow>`
    select subject.id as "subjectId", subject.uid, subject.display_name as "displayName", (
      select json_agg(json_build_object('question', question, 'optionId', option_id, 'data', data, 'channel', channel, 'at', at)
        order by question)
      from message_answer as answer
      where message_id = ${messageId} and answer.subject_id = subject.id and ${since(from)}) as answers
    from (
      select distinct answer.subject_id from message_answer as answer ${searched(q)}
      where message_id = ${messageId} and ${since(from)}
        ${after === null ? sql`` : sql`and answer.subject_id > ${after}::uuid`}
        ${optionId === undefined ? sql`` : sql`and option_id = ${optionId}`}
      order by answer.subject_id limit ${unplanned(limit)}
    ) as person join subject on subject.id = person.subject_id
    order by subject.id`.execute(db)
  return rows
}

/** The questions of a message to which there are answers, by their places, counted from 0. */
export async function findQuestionsAnswered(db: Db, messageId: string): Promise<string[]> {
  const { rows } = await sql<{ question: string }>`
    select distinct question from message_answer where message_id = ${messageId} order by question`.execute(
    db,
  )
  return rows.map(({ question }) => question)
}

/** `key`: where the row stands. `position`, `state`: null as well where they are older than what may be read. */
export type PatternRespondentRow = Respondent & {
  key: PatternRespondentKey
  position: number | null
  state: RegistrationState | null
  runId: string | null
  answers: { question: string; optionId: string | null; text: string | null; at: string }[]
  at: Date
}

/** The place of who asked for one, or after them the subject who did not. */
export type PatternRespondentKey = { place: number } | { subjectId: string }

/**
 * A page of who answered in a pattern: first who asked for a place, in the order of their requests, then the others by
 * subject. `states`: only the first, in these states. `nodes`: what is no question, whatever was pressed there.
 */
export async function listPatternRespondents(
  db: Db,
  patternId: string,
  which: Which & { states: RegistrationState[] | undefined; nodes: readonly string[] },
  { after, limit }: RowPage<PatternRespondentKey>,
): Promise<PatternRespondentRow[]> {
  const pattern = { id: patternId, ...which }
  const onPlaces = after === null || 'place' in after
  const placed = onPlaces ? await listPlaced(db, pattern, after?.place ?? 0, limit) : []
  if (which.states !== undefined || placed.length === limit) return placed
  const last = onPlaces ? null : after.subjectId
  return [...placed, ...(await listPlaceless(db, pattern, last, limit - placed.length))]
}

type Pattern = Which & {
  id: string
  states: RegistrationState[] | undefined
  nodes: readonly string[]
}

async function listPlaced(
  db: Db,
  { id, from, q, states, nodes }: Pattern,
  after: number,
  limit: number,
): Promise<PatternRespondentRow[]> {
  const recent = from === null ? sql`true` : sql`registration.at >= ${from}`
  const { rows } = await sql<PatternRespondentRow>`
    select json_build_object('place', place) as key, registration.subject_id as "subjectId", subject.uid,
      subject.display_name as "displayName", case when ${recent} then place end as position,
      case when ${recent} then state end as state, case when ${recent} then run_id end as "runId",
      coalesce(said.answers, '[]') as answers, greatest(said.at, case when ${recent} then registration.at end) as at
    from registration left join subject on subject.id = registration.subject_id
      left join lateral (${answersIn({ id, from, nodes }, sql`registration.subject_id`)}) as said on true
    where pattern_id = ${id} and place > ${after} and (${recent} or said.at is not null)
      ${states ? sql`and ${recent} and state = any(${states}::text[])` : sql``}
      ${q === undefined ? sql`` : sql`and ${isCalled(q)}`}
    order by place limit ${unplanned(limit)}`.execute(db)
  return rows
}

async function listPlaceless(
  db: Db,
  { id, from, q, nodes }: Pattern,
  after: string | null,
  limit: number,
): Promise<PatternRespondentRow[]> {
  const { rows } = await sql<PatternRespondentRow>`
    select json_build_object('subjectId', subject.id) as key, subject.id as "subjectId", subject.uid,
      subject.display_name as "displayName", null as position, null as state, null as "runId", said.answers, said.at
    from (
      select distinct answer.subject_id from pattern_answer as answer ${searched(q)}
      where pattern_id = ${id} and question <> all(${nodes}::text[]) and ${since(from)}
        and answer.subject_id ${after === null ? sql`is not null` : sql`> ${after}::uuid`}
        and not exists (select from registration
          where registration.pattern_id = ${id} and registration.subject_id = answer.subject_id offset 0)
      order by answer.subject_id limit ${unplanned(limit)}
    ) as person join subject on subject.id = person.subject_id
      cross join lateral (${answersIn({ id, from, nodes }, sql`subject.id`)}) as said
    order by subject.id`.execute(db)
  return rows
}

function answersIn(
  { id, from, nodes }: Pick<Pattern, 'id' | 'from' | 'nodes'>,
  subjectId: RawBuilder<unknown>,
) {
  return sql`
        select json_agg(json_build_object('question', question, 'optionId', option_id, 'text', text, 'at', answer.at)
          order by answer.at, question) as answers, max(answer.at) as at
        from pattern_answer as answer
        where answer.pattern_id = ${id} and answer.subject_id = ${subjectId} and question <> all(${nodes}::text[])
          and ${since(from)}`
}

function since(from: Date | null): RawBuilder<unknown> {
  return from === null ? sql`true` : sql`answer.at >= ${from}`
}

function searched(q: string | undefined): RawBuilder<unknown> {
  return q === undefined ? sql`` : sql`join subject on subject.id = answer.subject_id and ${isCalled(q)}`
}

/** Whether a subject is called so: a part of the name, in either case, or the uid. */
function isCalled(q: string): RawBuilder<unknown> {
  return sql`(subject.uid = ${q} or ${contains(sql`subject.display_name`, q)})`
}
