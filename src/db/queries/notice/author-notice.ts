import { sql } from 'kysely'
import type { AuthorNotice, Locale, MessageKind, Problem } from '../../../contract/enums.ts'
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

/** A notice with the facts of its mail. `current`: what it tells still holds. */
export type DueAuthorNotice = {
  id: string
  messageId: string
  tries: number
  what: AuthorNotice
  current: boolean
  personId: string
  email: string
  language: Locale
  unit: string
  timeZone: string
  kind: MessageKind
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
  /** Of a send that reached too few: its numbers. */
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
    select taken.id, m.id as "messageId", taken.tries, taken.what,
      case taken.what when 'parked' then m.problem is not null and m.closed_at is null
        when 'approved' then m.state <> 'cancelled' else true end as current,
      person.id as "personId", person.email, person.language, ${shownUnitName('unit', sql.ref('person.language'))} as unit, unit.time_zone as "timeZone",
      m.kind, m.title, decided.actor as by, decided.name as "byName", decided.reason,
      greatest(m.schedule_at, m.hold_until) as "startsAt", m.problem,
      not exists (select from message_author author
        where author.message_id = m.id and author.actor = 'person:' || person.id) as approved,
      case taken.what when 'failed' then (
        select wave.shortfall || jsonb_build_object('reminder', wave.number > 0) from wave
        where wave.message_id = m.id and wave.shortfall is not null order by wave.number desc limit 1) end as shortfall
    from taken
      join message m on m.id = taken.message_id
      join person on person.id = taken.person_id
      join unit on unit.id = m.unit_id
      left join lateral (
        select audit.actor, ${actorName(sql.ref('audit.actor'))} as name, audit.reason from audit
        where audit.object_kind = 'message' and audit.object_id = m.id::text and audit.version = taken.version
          and audit.action = case taken.what when 'rejected' then 'reject' when 'approved' then 'approve' end
        limit 1
      ) as decided on true
  `.execute(db)
  return rows[0]
}
