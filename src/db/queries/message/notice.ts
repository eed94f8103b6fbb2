import { type RawBuilder, sql } from 'kysely'
import type { ApprovalKind, Locale, MessageKind, PatternType } from '../../../contract/enums.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../../contract/messages/content.ts'
import type { Db, Trx } from '../../connect.ts'
import type { NoticeReason, NoticeState, ScheduleNoticeReason } from '../../tables.ts'
import { authorsSinceApproved } from '../approval/authors.ts'
import { actorName } from '../identity/person.ts'
import { shownUnitName } from '../identity/unit.ts'
import { isShown } from '../shown-state.ts'
import { driftOf, type NamedDrift } from './drift.ts'

/** Longer than a lane needs for one mail, so that no other lane takes it meanwhile; doubled with each try. */
const firstWaitSeconds = 60
const longestWaitSeconds = 3_600

/** Nobody needs a second mail within minutes of the first. */
const shortestHalfSeconds = 300

/**
 * Writes a notice to every approver of the message's unit, except its authors, who may not approve it, and approvers
 * who disabled notices. Once per version: a message that returns to review is notified again. If the message is due, to
 * be sent or to expire, each gets a second notice when half of the time until then has passed.
 */
export async function insertNotices(
  trx: Trx,
  { id, unit_id, version }: { id: string; unit_id: string; version: number },
  reason: NoticeReason,
): Promise<void> {
  await sql`
    insert into notice (message_id, version, person_id, reason, second, next_try_at)
    select ${id}, ${version}, person.id, ${reason}, mail.second, mail.at
    from member join person on person.id = member.person_id
      cross join lateral (
        select false as second, clock_timestamp() as at
        union all
        select true, clock_timestamp() + half
        from (select (${dueAt('message')} - clock_timestamp()) / 2 as half from message where id = ${id}) as due
        where half >= make_interval(secs => ${shortestHalfSeconds})
      ) as mail
    where member.unit_id = ${unit_id} and member.role = 'approver' and person.notices
      and 'person:' || person.id <> all(${authorsSinceApproved('message', id)})
    on conflict do nothing
  `.execute(trx)
}

/** When a waiting message is due: to be sent, or if that is open or past, to expire. Null: never. */
function dueAt(message: string): RawBuilder<Date | null> {
  const [scheduled, expires] = [sql.ref(`${message}.schedule_at`), sql.ref(`${message}.expires_at`)]
  return sql`case when ${scheduled} > clock_timestamp() then ${scheduled} else ${expires} end`
}

/** A version of a binding, template or scenario that waits. */
type WaitingVersion = { id: string; unitId: string; version: number }

/** The column that names what a notice is about. */
const columnOf = {
  template: 'template_id',
  event_binding: 'binding_id',
  scenario: 'scenario_id',
} satisfies Record<Exclude<ApprovalKind, 'message'>, string>

/**
 * Writes a notice about a version that waits for approval to every approver of its unit, except its authors and
 * approvers who disabled notices.
 */
export async function insertVersionNotices(
  trx: Trx,
  kind: keyof typeof columnOf,
  { id, unitId, version }: WaitingVersion,
): Promise<void> {
  await sql`
    insert into notice (${sql.ref(columnOf[kind])}, version, person_id, reason)
    select ${id}, ${version}, person.id, 'submitted'
    from member join person on person.id = member.person_id
    where member.unit_id = ${unitId} and member.role = 'approver' and person.notices
      and 'person:' || person.id <> all(${authorsSinceApproved(kind, id)})
  `.execute(trx)
}

/** Writes a notice about an occurrence that made nothing to every approver of the unit who has not disabled notices. */
export async function insertScheduleNotices(
  trx: Trx,
  { id, unitId, version }: { id: string; unitId: string; version: number },
  reason: ScheduleNoticeReason,
): Promise<void> {
  await sql`
    insert into notice (schedule_id, version, person_id, reason)
    select ${id}, ${version}, person.id, ${reason}
    from member join person on person.id = member.person_id
    where member.unit_id = ${unitId} and member.role = 'approver' and person.notices
    on conflict do nothing
  `.execute(trx)
}

/** The pattern that generated a scenario. */
export type NoticePattern = { type: PatternType; title: LocalisedText }

/** A notice with the facts of its mail. `current`: what it is about still waits for approval in the same version. */
export type DueNotice = {
  id: string
  tries: number
  /** The version that it is about. */
  version: number
  /** Whether it repeats one, because the message is due soon. */
  second: boolean
  current: boolean
  personId: string
  email: string
  language: Locale
  unit: string
  timeZone: string
  category: LocalisedText
} & (
  | {
      about: 'message'
      reason: Exclude<NoticeReason, ScheduleNoticeReason>
      objectId: string
      kind: MessageKind
      title: LocalisedText
      /** The name of the schedule that made it; null: none did. */
      name: string | null
      total: number | null
      /** Who created it. */
      author: string
      authorName: string | null
      /** When it is planned to be sent; null: once approved. */
      sendAt: Date | null
      /** What it says, as it was frozen. */
      content: CanonicalMessage[]
      /** When it is due to be sent, or to expire; null: at no time, or past. */
      dueAt: Date | null
      /** What changed, if the message returned to review. */
      drift: NamedDrift | null
    }
  | { about: 'event_binding'; objectId: string; source: string; type: string }
  | { about: 'template'; objectId: string; name: string }
  /** `pattern`: what generated it; null: it was written. */
  | { about: 'scenario'; objectId: string; name: string; pattern: NoticePattern | null }
  | {
      about: 'schedule'
      reason: ScheduleNoticeReason
      objectId: string
      name: string
      /** When the occurrence was due, and the code of its error. */
      dueAt: Date | null
      code: ErrorCode | null
    }
)

/** Takes a due notice; it is due again later unless its outcome is written. Safe to call from several workers. */
export async function takeNotice(db: Db): Promise<DueNotice | undefined> {
  const { rows } = await sql<DueNotice>`
    with taken as (
      update notice set tries = tries + 1, next_try_at = clock_timestamp()
        + make_interval(secs => least(${firstWaitSeconds} * 2 ^ least(tries, 10), ${longestWaitSeconds}))
      where id in (
        select id from notice where state = 'waiting' and next_try_at <= clock_timestamp()
        order by next_try_at limit 1 for update skip locked)
      returning *
    )
    select taken.id, taken.version, taken.reason, taken.second, taken.tries, what.*,
      person.id as "personId", person.email, person.language, ${shownUnitName('unit', sql.ref('person.language'))} as unit, unit.time_zone as "timeZone",
      category.name as category
    from taken
      join lateral (
        select 'message' as about, m.id as "objectId", m.unit_id, m.category_id,
          ${isShown('m', 'submitted')} and m.version = taken.version as current,
          m.kind, m.title, (m.snapshot #>> '{recipients,total}')::integer as total,
          ${driftOf({ drift: sql.ref('m.drift'), reviewDrift: sql<boolean>`m.review_drift` })} as drift,
          ${dueAt('m')} as "dueAt", null as source, null as type, null as code,
          case m.origin when 'schedule' then ${actorName(sql.ref('m.created_by'))} end as name,
          m.created_by as author, ${actorName(sql.ref('m.created_by'))} as "authorName", m.schedule_at as "sendAt",
          coalesce((select frozen from message_content where message_id = m.id), '[]') as content, null::jsonb as pattern
        from message m where m.id = taken.message_id
        union all
        select 'event_binding', b.id, b.unit_id, v.category_id, v.state = 'submitted',
          null, null, null, null, null, v.source, v.type, null, null, null, null, null, null, null
        from event_binding b
          join event_binding_version v on v.binding_id = b.id and v.version = taken.version
        where b.id = taken.binding_id
        union all
        select 'template', t.id, t.unit_id, t.category_id, v.state = 'draft' and v.version = (
            select max(newest.version) from template_version newest where newest.template_id = t.id),
          null, null, null, null, null, null, null, null, t.name, null, null, null, null, null
        from template t
          join template_version v on v.template_id = t.id and v.version = taken.version
        where t.id = taken.template_id
        union all
        select 'scenario', s.id, s.unit_id, v.category_id, v.state = 'submitted',
          null, null, null, null, null, null, null, null, v.name, null, null, null, null,
          (select jsonb_build_object('type', pattern.type, 'title', coalesce(v.design -> 'title', pattern.title))
            from pattern where pattern.scenario_id = s.id)
        from scenario s
          join scenario_version v on v.scenario_id = s.id and v.version = taken.version
        where s.id = taken.scenario_id
        union all
        select 'schedule', s.id, s.unit_id, s.category_id, s.state <> 'deleted',
          null, null, null, null, o.due_at, null, null, o.error ->> 'code', s.name, null, null, null, null, null
        from schedule s
          left join lateral (
            select due_at, error from occurrence
            where schedule_id = s.id and error is not null and at <= taken.created_at
            order by id desc limit 1
          ) as o on true
        where s.id = taken.schedule_id
      ) as what on true
      join person on person.id = taken.person_id
      join unit on unit.id = what.unit_id
      join category on category.id = what.category_id
  `.execute(db)
  return rows[0]
}

/** The outcome of a try: one to be retried stays `waiting`, with the reason. */
export type NoticeEnding = { state: NoticeState; code?: string | null }

/** The tables of notices: to approvers, to authors, and to everybody in a unit about a handoff. */
export type NoticeTableName = 'notice' | 'author_notice' | 'handoff_notice'

/** Writes the outcome of a notice. */
export async function endNotice(
  db: Db,
  table: NoticeTableName,
  id: string,
  { state, code = null }: NoticeEnding,
): Promise<void> {
  await db.updateTable(table).set({ state, code }).where('id', '=', id).execute()
}

/** Notices to approvers, authors and units that are retried (`retrying`), and exhausted ones (`failed`). */
export async function countNotices(db: Db): Promise<{ retrying: number; failed: number }> {
  const { rows } = await sql<{ retrying: number; failed: number }>`
    select (count(*) filter (where state = 'waiting'))::integer as retrying,
      (count(*) filter (where state = 'failed'))::integer as failed
    from (
      select state from notice where state = 'failed' or state = 'waiting' and tries > 0
      union all
      select state from author_notice where state = 'failed' or state = 'waiting' and tries > 0
      union all
      select state from handoff_notice where state = 'failed' or state = 'waiting' and tries > 0
    ) as open
  `.execute(db)
  return rows[0]!
}
