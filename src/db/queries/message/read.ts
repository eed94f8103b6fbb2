import { type Expression, type RawBuilder, type Selectable, sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { MessageState } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { Audience } from '../../../domain/audience/audience.ts'
import type { Shortfall } from '../../../domain/message/shortfall.ts'
import { anyOf } from '../../any-of.ts'
import type { Db } from '../../connect.ts'
import { containsLocalised } from '../../contains.ts'
import { anyKey, type RowPage, unplanned } from '../../rows.ts'
import type { SkippedCounts } from '../../tables/delivery.ts'
import type { AuditTable } from '../../tables.ts'
import { uuidLowerBound } from '../../uuid-lower-bound.ts'
import { answerCounts } from '../answer/answer.ts'
import { organisersOf } from '../answer/organiser.ts'
import { authorsSinceApproved } from '../approval/authors.ts'
import { versionInForce } from '../approval/version-in-force.ts'
import { nextTryAt } from '../delivery/parking.ts'
import { retryingOf } from '../delivery/provider.ts'
import { actorName } from '../identity/person.ts'
import { stepRetryAt } from '../run/step-failure.ts'
import { isOverdue, isShown, shownAt, shownReminder, shownState } from '../shown-state.ts'
import { clickCounts } from './click.ts'
import { audienceGroupsOf, driftOf } from './drift.ts'

/** All fields of a list item, whether `actor` is one of its authors, and whether their words bar them from approving it. */
function selectMessageItem(db: Db, actor: string) {
  return db
    .selectFrom('message as m')
    .innerJoin('category as c', 'c.id', 'm.category_id')
    .leftJoin('topic as t', 't.id', 'm.topic_id')
    .leftJoin('wave as w', (join) => join.onRef('w.message_id', '=', 'm.id').on('w.number', '=', 0))
    .leftJoin('wave as r', (join) => join.onRef('r.message_id', '=', 'm.id').on('r.number', '=', 1))
    .leftJoin('wave as up', (join) =>
      join.on('up.id', '=', sql`case m.state when 'sent' then r.id else w.id end`),
    )
    .select([
      'm.id',
      'm.version',
      'm.title',
      'm.reference',
      'm.channel_plan',
      'm.paused_from',
      'm.kind',
      'm.origin',
      'm.unit_id',
    ])
    .select(['m.topic_id', 't.status as topic_status', 'c.enabled as category_enabled'])
    .select(['m.category_id', 'c.name as category_name', 'm.created_by', 'm.created_at', 'm.submitted_at'])
    .select(['m.schedule_at', 'm.hold_until', 'm.expires_at', 'm.remind_at', 'm.remind_to'])
    .select(['m.snapshot', 'm.snapshot_at'])
    .select(['m.review_reason', 'm.review_drift', 'm.problem', 'm.closed_at', 'm.purged_at'])
    .select(['w.expected', 'w.sent', 'w.failed', 'w.unknown', 'w.skipped', 'w.by_channel', 'w.people'])
    .select([shownState('m').as('state'), shownReminder('m', 'r').as('reminder_state')])
    .select(['up.claimed', 'up.parked', 'up.parked_at'])
    .select(nextTryAt('up').as('next_try_at'))
    .select(['m.step_parked_at', stepRetryAt('m').as('step_retry_at')])
    .select((from) => [
      actorName(from.ref('m.created_by')).as('author_name'),
      shownAt.as('now'),
      sql<Audience | null>`case ${shownState('m')} when 'draft' then ${outlineOf(from.ref('m.audience'))} end`.as(
        'draft_outline',
      ),
      from
        .exists(
          from
            .selectFrom('message_author as a')
            .select('a.actor')
            .whereRef('a.message_id', '=', 'm.id')
            .where('a.actor', '=', actor)
            .where('a.copied', '=', false),
        )
        .as('is_author'),
      sql<boolean>`case when ${isShown('m', 'submitted')} then ${actor} = any(${authorsSinceApproved(
        'message',
        from.ref('m.id'),
      )}) else false end`.as('may_not_approve'),
    ])
}

/** An audience with its dimensions, and none of their values: a page of drafts may name a million of them. */
function outlineOf(audience: Expression<unknown>): RawBuilder<Audience> {
  return sql`(
    select jsonb_object_agg(dimension, case dimension
      when 'kind' then named
      when 'exclude' then (select jsonb_object_agg(key, '[]'::jsonb) from jsonb_each(named))
      else '[]' end)
    from jsonb_each(${audience}) as outlined (dimension, named))`
}

export type MessageItemRow = Awaited<
  ReturnType<ReturnType<typeof selectMessageItem>['executeTakeFirstOrThrow']>
>

/** Words of a title, an id or a reference. `personal`: whether the caller may see the titles of personal messages. */
type MessageSearch = { text: string; id: string | null; personal: boolean }

type MessageFilter = {
  unitId: string
  states?: MessageState[]
  reference?: string
  categoryId?: string
  topicId?: string | null
  createdAfter?: string
  createdBefore?: string
  search?: MessageSearch
  /** Only those in which the caller wrote. */
  mine?: boolean
  order: 'newest' | 'oldest'
} & RowPage

/** A unit's messages in order of creation, in one query; ids are time-ordered. */
export async function listMessageItems(
  db: Db,
  actor: string,
  filter: MessageFilter,
): Promise<MessageItemRow[]> {
  const order = filter.order === 'oldest' ? 'asc' : 'desc'
  return selectMessageItem(db, actor)
    .where('m.id', '=', sql<string>`any(array(${pageOfIds(db, actor, filter)}))`)
    .orderBy('m.id', order)
    .execute()
}

/** Found first, and joined to the rest of a message then: Postgres joins no more than a page, whatever it knows of the tables. */
function pageOfIds(db: Db, actor: string, filter: MessageFilter): RawBuilder<string> {
  const { states, unitId } = filter
  if (states === undefined) return sql`${pageIn(db, actor, filter, (query) => query)}`
  const moved = pageIn(db, actor, filter, (query) =>
    query.where('m.state', 'in', states).where(sql<boolean>`not ${isOverdue('m')}`),
  )
  if (!states.includes('expired')) return sql`${moved}`
  // Those that only their time has ended are found by it: among all drafts, they would be few and anywhere.
  const overdue = pageIn(db, actor, filter, (query) =>
    query.where('m.id', '=', sql<string>`any(array(${overdueOf(unitId)}))`),
  )
  const order = sql.raw(filter.order === 'oldest' ? 'asc' : 'desc')
  return sql`
    select id from ((${moved}) union all (${overdue})) as found order by id ${order} limit ${filter.limit}`
}

function overdueOf(unitId: string): RawBuilder<string> {
  return sql`select late.id from message as late where late.unit_id = ${anyKey(unitId)} and ${isOverdue('late')}`
}

type IdQuery = ReturnType<typeof selectIds>

/** A page of the ids that a filter finds, with `inStates` for the states that it asks for. */
function pageIn(db: Db, actor: string, filter: MessageFilter, inStates: (query: IdQuery) => IdQuery) {
  const oldest = filter.order === 'oldest'
  return inStates(selectIds(db))
    .where('m.unit_id', '=', anyKey(filter.unitId))
    .$if(filter.reference !== undefined, (query) => query.where('m.reference', '=', filter.reference!))
    .$if(filter.categoryId !== undefined, (query) => query.where('m.category_id', '=', filter.categoryId!))
    .$if(filter.topicId !== undefined, (query) => query.where('m.topic_id', '=', filter.topicId!))
    .$if(filter.createdAfter !== undefined, (query) => madeAfter(query, Date.parse(filter.createdAfter!)))
    .$if(filter.createdBefore !== undefined, (query) => madeBefore(query, Date.parse(filter.createdBefore!)))
    .$if(filter.search !== undefined, (query) => matching(query, actor, filter))
    .$if(filter.mine === true, (query) => writtenBy(query, actor, filter.unitId))
    .$if(filter.after !== null, (query) => query.where('m.id', oldest ? '>' : '<', filter.after!))
    .orderBy('m.id', oldest ? 'asc' : 'desc')
    .limit(unplanned(filter.limit))
}

function selectIds(db: Db) {
  return db.selectFrom('message as m').select('m.id')
}

/** These messages, those of these units. */
export async function findMessageItems(
  db: Db,
  actor: string,
  ids: readonly string[],
  unitIds: readonly string[],
): Promise<MessageItemRow[]> {
  return selectMessageItem(db, actor)
    .where('m.id', '=', anyOf(ids))
    .where('m.unit_id', '=', anyOf(unitIds))
    .execute()
}

/**
 * Those that a search finds. Titles have no index, which every message would have to keep up: they are compared among the
 * newest of the unit.
 */
function matching<Query extends ReturnType<typeof selectIds>>(
  query: Query,
  actor: string,
  { unitId, search }: MessageFilter,
) {
  const { text, id, personal } = search!
  return query.where(
    sql<boolean>`m.id in (
      select id from (select id, title, kind from message where unit_id = ${unitId}
        order by id desc limit ${sql.lit(limits.searchedMessages)}) as newest
      where ${containsLocalised(sql`title`, text)}
        and (kind <> 'personal' or ${personal} or exists (select from message_author
          where message_id = newest.id and actor = ${actor} and not copied))
      union all select id from message where unit_id = ${unitId} and reference = ${text}
      union all select id from message where unit_id = ${unitId} and id = ${id}::uuid)`,
  )
}

/** Those of an author. They have no index, as titles have none: the newest of the unit are looked through. */
function writtenBy<Query extends ReturnType<typeof selectIds>>(query: Query, actor: string, unitId: string) {
  return query.where(
    sql<boolean>`m.id in (
      select id from (select id from message where unit_id = ${unitId}
        order by id desc limit ${sql.lit(limits.searchedMessages)}) as newest
      where exists (select from message_author where message_id = newest.id and actor = ${actor} and not copied))`,
  )
}

/** `created_at` may be slightly before the time in the id, or come from a clock that was corrected since. */
const clockSlackMs = 60_000

/**
 * Ids are time-ordered: the condition on ids limits the index scan, so that a unit's older messages are not read. The
 * API returns milliseconds, the column stores microseconds: a client that continues from its last `createdAt` has
 * already seen that whole millisecond.
 */
function madeAfter<Query extends ReturnType<typeof selectIds>>(query: Query, moment: number) {
  return query
    .where('m.created_at', '>=', new Date(moment + 1))
    .where('m.id', '>=', uuidLowerBound(moment - clockSlackMs))
}

/** The other way round. */
function madeBefore<Query extends ReturnType<typeof selectIds>>(query: Query, moment: number) {
  return query
    .where('m.created_at', '<', new Date(moment))
    .where('m.id', '<', uuidLowerBound(moment + clockSlackMs))
}

/** A message of one of these units with all fields of its detail, in one query. */
export async function findMessageDetail(db: Db, actor: string, id: string, unitIds: string[]) {
  return selectMessageItem(db, actor)
    .innerJoin('message_content as content', 'content.message_id', 'm.id')
    .select(['m.audience', 'm.plan_override', 'm.pace', 'm.template_id', 'm.template_version'])
    .select(['content.request', 'content.frozen', 'content.tracked'])
    .select(retryingOf('up.id').as('retrying'))
    .select(({ ref }) => shortfallOf(ref('m.id')).as('shortfall'))
    .select((from) => [
      driftOf({ drift: from.ref('m.drift'), reviewDrift: from.ref('m.review_drift') }).as('drift'),
      audienceGroupsOf(db, from.ref('m.id')).as('audience_groups'),
      answerCounts(from.ref('m.id')).as('answers'),
      organisersOf('message', sql`m.id`).as('organisers'),
      clickCounts(from.ref('m.id')).as('clicks'),
      jsonObjectFrom(
        from
          .selectFrom('template')
          .innerJoin('template_version as v', 'v.template_id', 'template.id')
          .select(['template.id', 'template.name', 'v.version', 'v.messages'])
          .whereRef('template.id', '=', 'm.template_id')
          .where(
            ({ ref }) =>
              sql<boolean>`v.version = coalesce(${ref('m.template_version')}, ${versionInForce(ref('template.id'))})`,
          ),
      ).as('template'),
      jsonObjectFrom(
        from
          .selectFrom('wave as r')
          .select(shownReminder('m', 'r').as('state'))
          .select(['r.expected', 'r.sent', 'r.failed', 'r.unknown', 'r.skipped', 'r.by_channel', 'r.people'])
          .whereRef('r.message_id', '=', 'm.id')
          .where('r.number', '=', 1),
      ).as('reminder'),
      jsonArrayFrom(
        from
          .selectFrom(newestTrail(from.ref('m.id')).as('audit'))
          .select(['audit.at', 'audit.actor', 'audit.action', 'audit.reason'])
          .select(({ ref }) => actorName(ref('audit.actor')).as('actor_name'))
          .orderBy('audit.id'),
      ).as('trail'),
    ])
    .where('m.id', '=', id)
    .where('m.unit_id', '=', anyOf(unitIds))
    .executeTakeFirst()
}
export type MessageDetailRow = NonNullable<Awaited<ReturnType<typeof findMessageDetail>>>

/** Numbers of open items in a unit. */
type Summary = {
  toApprove: number
  templatesToApprove: number
  bindingsToApprove: number
  scenariosToApprove: number
  sending: number
  parked: number
}

/**
 * Counts a unit's open items over the index of open messages (`message_open`), so that closed ones cost nothing. A sent
 * message counts as sending while its reminder is being sent.
 */
export async function summaryOf(db: Db, unitId: string): Promise<Summary> {
  const reminds = sql`m.state = 'sent' and exists (select from wave w
    where w.message_id = m.id and w.number = 1 and w.state = 'sending')`
  const { rows } = await sql<Summary>`
    select
      count(*) filter (where ${isShown('m', 'submitted')}) as "toApprove",
      count(*) filter (where m.state = 'sending' or ${reminds}) as sending,
      count(m.problem) as parked,
      (select count(*) from template t where t.unit_id = ${unitId} and exists (
        select from template_version v where v.template_id = t.id and v.state = 'draft' and v.version = (
          select max(newest.version) from template_version newest where newest.template_id = t.id)
      )) as "templatesToApprove",
      (select count(*) from event_binding b join event_binding_version v on v.binding_id = b.id
        where b.unit_id = ${unitId} and v.state = 'submitted') as "bindingsToApprove",
      (select count(*) from scenario s join scenario_version v on v.scenario_id = s.id
        where s.unit_id = ${unitId} and v.state = 'submitted') as "scenariosToApprove"
    from message m
    where m.unit_id = ${unitId} and m.closed_at is null and m.state <> 'draft'`.execute(db)
  return rows[0]!
}

/** The newest entries of a message's trail, at most as many as its detail shows. */
function newestTrail(messageId: Expression<string>) {
  // Who read about its people is in the audit log only: it did not change the message.
  return sql<Pick<Selectable<AuditTable>, 'id' | 'at' | 'actor' | 'action' | 'reason'>>`(
    select id, at, actor, action, reason from audit
    where object_kind = 'message' and object_id = (${messageId})::text and action <> 'read'
    order by audit.id desc limit ${sql.lit(limits.trailPerMessage)})`
}

/** Of the newest wave of a message that reached too few. */
function shortfallOf(messageId: Expression<string>) {
  return sql<Shortfall | null>`(
    select shortfall from wave where wave.message_id = ${messageId} and shortfall is not null
    order by wave.number desc limit 1)`
}

/** A wave that is being sent, with its counters. `expected`: null until its deliveries are written. */
type SendingWave = {
  messageId: string
  waveId: string
  unit: string
  categoryId: string
  reminder: boolean
  expected: number | null
  sent: number
  failed: number
  unknown: number
  skipped: SkippedCounts
  startedAt: Date | null
}

/**
 * The waves of all units that are being sent, those with most left to send first, and how many there are. Reads the index
 * of open messages (`message_open`).
 */
export async function listSending(db: Db, limit: number): Promise<{ total: number; waves: SendingWave[] }> {
  const { rows } = await sql<SendingWave & { total: number }>`
    select message.id as "messageId", wave.id as "waveId", unit.name as unit, message.category_id as "categoryId",
      wave.number > 0 as reminder, expected, sent, failed, unknown, skipped, started_at as "startedAt",
      count(*) over ()::int as total
    from message
      join unit on unit.id = message.unit_id
      join wave on wave.message_id = message.id
        and wave.number = case message.state when 'sent' then 1 else 0 end
    where message.closed_at is null and message.state <> 'draft' and message.state in ('sending', 'sent')
      and wave.state = 'sending'
    order by coalesce(expected, 0) - sent - failed - unknown desc, message.id
    limit ${limit}
  `.execute(db)
  return { total: rows[0]?.total ?? 0, waves: rows.map(({ total: _, ...wave }) => wave) }
}
