import { sql } from 'kysely'
import type {
  AuthorNotice,
  Locale,
  MessageKind,
  Origin,
  PatternType,
  Problem,
} from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { Shortfall } from '../../../domain/message/shortfall.ts'
import { backOff } from '../../back-off.ts'
import type { Db, Trx } from '../../connect.ts'
import { actorName } from '../identity/person.ts'
import { shownUnitName } from '../identity/unit.ts'

/** A provider that is away for a moment is no matter for an author. */
const parkedSeconds = 600

/**
 * A send that failed also notifies its approver, unless they switched off notices to approvers.
 */
const approvers = (messageId: string) => sql`
      union
      select person.id from audit join person on audit.actor = 'person:' || person.id
      where audit.object_kind = 'message' and audit.object_id = ${messageId}::text and audit.action = 'approve'
        and person.notices`

/**
 * Writes a notice to everybody who created, edited or submitted a message and still belongs to its unit, except those
 * who switched this kind off. Once per version of the message: a send that is parked again and again notifies once.
 */
export async function insertAuthorNotices(
  trx: Db | Trx,
  messageId: string,
  what: AuthorNotice,
): Promise<void> {
  await sql`
    insert into author_notice (message_id, version, person_id, what, next_try_at)
    select m.id, m.version, notified.id, ${what},
      clock_timestamp() + make_interval(secs => ${what === 'parked' ? parkedSeconds : 0})
    from message m cross join (
      select person.id from message_author author join person on author.actor = 'person:' || person.id
      where author.message_id = ${messageId} and not author.copied and ${what}::text = any(person.author_notices)${
        what === 'failed' ? approvers(messageId) : sql``
      }
    ) as notified
    where m.id = ${messageId}
      and exists (select from member where member.unit_id = m.unit_id and member.person_id = notified.id)
    order by notified.id
    on conflict do nothing
  `.execute(trx)
}

/**
 * Writes a notice of the decision about a version of a scenario to everybody who wrote it and still belongs to its unit,
 * except those who switched this kind off.
 */
export async function insertVersionAuthorNotices(
  trx: Trx,
  { id, version }: { id: string; version: number },
  what: Extract<AuthorNotice, 'approved' | 'rejected'>,
): Promise<void> {
  await sql`
    insert into author_notice (scenario_id, version, person_id, what)
    select version.scenario_id, version.version, person.id, ${what}
    from scenario_version as version join scenario on scenario.id = version.scenario_id
      join person on 'person:' || person.id = any(version.authors) and ${what}::text = any(person.author_notices)
    where version.scenario_id = ${id} and version.version = ${version}
      and exists (select from member where member.unit_id = scenario.unit_id and member.person_id = person.id)
    order by person.id
    on conflict do nothing
  `.execute(trx)
}

/**
 * Writes a notice that a start of conversations failed with too many to everybody who started it, wrote the version that it
 * follows or approved that, if they still belong to its unit and have not switched this kind off.
 */
export async function insertStartNotices(trx: Trx, startId: string): Promise<void> {
  await sql`
    with followed as (
      select version.authors, version.decided_by, start.actor, scenario.unit_id
      from scenario_start as start join scenario on scenario.id = start.scenario_id
        join scenario_version as version on version.scenario_id = start.scenario_id
      where start.id = ${startId} and version.version = (
        select max(run.version_number) from scenario_run as run where run.start_id = start.id)
    )
    insert into author_notice (start_id, version, person_id, what)
    select ${startId}, 0, person.id, 'failed' from followed join person
      on 'person:' || person.id = any(followed.authors || followed.actor) and 'failed' = any(person.author_notices)
        or 'person:' || person.id = followed.decided_by and person.notices
    where exists (select from member where member.unit_id = followed.unit_id and member.person_id = person.id)
    order by person.id
    on conflict do nothing
  `.execute(trx)
}

/** A notice with the facts of its mail. `current`: what it tells still holds. */
export type DueAuthorNotice = {
  id: string
  /** What it is about: a message, a start of conversations of a scenario, or without one a version of it. */
  messageId: string | null
  startId: string | null
  scenarioId: string | null
  /** What generated the scenario; null: it was written. */
  patternId: string | null
  patternType: PatternType | null
  tries: number
  what: AuthorNotice
  current: boolean
  personId: string
  email: string
  language: Locale
  unit: string
  timeZone: string
  kind: MessageKind
  /** Where the message was made; null: it is about a start. */
  origin: Origin | null
  title: LocalisedText
  /** Who decided, and why; null for a parked send. */
  by: string | null
  byName: string | null
  reason: string | null
  /** The earliest time of the send; null: at once. */
  startsAt: Date | null
  problem: Problem | null
  /** Whether they approved it, and did not write it. */
  approved: boolean
  /** Of a send or a start that reached too few: its numbers. */
  shortfall: (Shortfall & { reminder: boolean }) | null
}

/** Takes a due notice; it is due again later unless its outcome is written. Safe to call from several workers. */
export async function takeAuthorNotice(db: Db): Promise<DueAuthorNotice | undefined> {
  const { rows } = await sql<DueAuthorNotice>`
    with taken as (
      update author_notice set tries = tries + 1, next_try_at = greatest(${backOff}, clock_timestamp() + interval '1 minute')
      where id in (
        select id from author_notice where state = 'waiting' and next_try_at <= clock_timestamp()
        order by next_try_at limit 1 for update skip locked)
      returning *
    )
    select taken.id, m.id as "messageId", start.id as "startId", scenario.id as "scenarioId",
      scenario."patternId", scenario."patternType", taken.tries, taken.what,
      case when m.id is null then true else case taken.what when 'parked' then m.problem is not null and m.closed_at is null
        when 'approved' then m.state <> 'cancelled' else true end end as current,
      person.id as "personId", person.email, person.language, ${shownUnitName('unit', sql.ref('person.language'))} as unit, unit.time_zone as "timeZone",
      coalesce(m.kind, 'broadcast') as kind, m.origin, coalesce(m.title, scenario.title, jsonb_build_object('zh-TW', scenario.name)) as title,
      decided.actor as by, decided.name as "byName", decided.reason,
      greatest(m.schedule_at, m.hold_until) as "startsAt", m.problem,
      case when m.id is null then start.id is not null and 'person:' || person.id <> all(scenario.authors || start.actor)
        else not exists (select from message_author author
          where author.message_id = m.id and author.actor = 'person:' || person.id) end as approved,
      case taken.what when 'failed' then coalesce((
        select wave.shortfall || jsonb_build_object('reminder', wave.number > 0) from wave
        where wave.message_id = m.id and wave.shortfall is not null order by wave.number desc limit 1),
        start.shortfall || jsonb_build_object('reminder', false)) end as shortfall
    from taken
      left join message m on m.id = taken.message_id
      left join scenario_start as start on start.id = taken.start_id
      left join lateral (
        select scenario.id, scenario.unit_id, version.name, version.authors, version.decided_by, version.reason,
          pattern.id as "patternId", pattern.type as "patternType", pattern.title
        from scenario join scenario_version as version on version.scenario_id = scenario.id
          left join pattern on pattern.scenario_id = scenario.id
        where scenario.id = coalesce(start.scenario_id, taken.scenario_id)
          and (taken.scenario_id is null or version.version = taken.version)
        order by version.version desc limit 1
      ) as scenario on true
      join person on person.id = taken.person_id
      join unit on unit.id = coalesce(m.unit_id, scenario.unit_id)
      left join lateral (
        select audit.actor, ${actorName(sql.ref('audit.actor'))} as name, audit.reason from audit
        where audit.object_kind = 'message' and audit.object_id = m.id::text and audit.version = taken.version
          and audit.action = case taken.what when 'rejected' then 'reject' when 'approved' then 'approve' end
        union all
        select scenario.decided_by, ${actorName(sql.ref('scenario.decided_by'))}, scenario.reason
        where taken.scenario_id is not null
        limit 1
      ) as decided on true
  `.execute(db)
  return rows[0]
}
