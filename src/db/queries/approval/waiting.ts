import { type RawBuilder, sql } from 'kysely'
import { type ApprovalKind, approvalKinds } from '../../../contract/enums.ts'
import type { Db } from '../../connect.ts'
import { contains, containsLocalised } from '../../contains.ts'
import { type RowPage, unplanned } from '../../rows.ts'
import { isShown } from '../shown-state.ts'

/** Something that waits for an approver, and since when, in microseconds since the epoch. */
export type Waiting = { kind: ApprovalKind; id: string; since: number }

type Page = RowPage<Pick<Waiting, 'since' | 'id'>>

/** What of each kind waits in a unit. Messages have no bound: their arm reads one page, by the index `message_waiting`. */
const waitingOf: Record<ApprovalKind, (unitId: string, page: Page) => RawBuilder<unknown>> = {
  message: (unitId, { after, limit }) => sql`
    select id, changed_at as since from message
    where unit_id = ${unitId} and ${isShown('message', 'submitted')} and ${
      after
        ? sql`(changed_at, id) > ('epoch'::timestamptz + ${after.since}::bigint * interval '1 microsecond', ${after.id})`
        : sql`true`
    }
    order by changed_at, id limit ${unplanned(limit)}`,
  template: (unitId) => sql`
    select t.id, v.created_at from template t join template_version v on v.template_id = t.id
    where t.unit_id = ${unitId} and v.state = 'draft' and v.version = (
      select max(newest.version) from template_version newest where newest.template_id = t.id)`,
  event_binding: (unitId) => sql`
    select b.id, v.created_at from event_binding b join event_binding_version v on v.binding_id = b.id
    where b.unit_id = ${unitId} and v.state = 'submitted'`,
  scenario: (unitId) => sql`
    select s.id, v.submitted_at from scenario s join scenario_version v on v.scenario_id = s.id
    where s.unit_id = ${unitId} and v.state = 'submitted'`,
}

/** A page of what waits for an approver in a unit, the oldest first. */
export async function listWaiting(db: Db, unitId: string, page: Page): Promise<Waiting[]> {
  const { rows } = await pageIn(unitId, page).execute(db)
  return rows
}

function pageIn(unitId: string, page: Page): RawBuilder<Waiting> {
  const { after, limit } = page
  const arms = approvalKinds.map(
    (kind) =>
      sql`select ${sql.lit(kind)} as kind, of_kind.* from (${waitingOf[kind](unitId, page)}) as of_kind (id, since)`,
  )
  return sql<Waiting>`
    select kind, id, since from (
      select kind, id, (extract(epoch from since) * 1000000)::bigint as since
      from (${sql.join(arms, sql` union all `)}) as of_all
    ) as waiting
    ${after ? sql`where (since, id) > (${after.since}, ${after.id})` : sql``}
    order by since, id limit ${limit}`
}

/** How much of what waits in a unit is put in the order of urgency, the oldest. */
const urgentAmong = 2_000

/** `text`: words of a title or name; empty: all. */
type UrgentQuery = { text: string; skip: number; limit: number }

/**
 * What waits in a unit, first what is to be sent or expires first, then what has no time, the oldest first; and how much of
 * it there is.
 */
export async function listUrgent(
  db: Db,
  unitId: string,
  { text, skip, limit }: UrgentQuery,
): Promise<{ total: number; rows: Waiting[] }> {
  const called = sql`coalesce(template.name, (
    select coalesce(version.name, '') from scenario_version as version
    where version.scenario_id = waiting.id order by version.version desc limit 1), (
    select version.source || ' ' || version.type from event_binding_version as version
    where version.binding_id = waiting.id order by version.version desc limit 1))`
  const matches =
    text === ''
      ? sql`true`
      : sql`(${containsLocalised(sql`message.title`, text)} or ${contains(called, text)})`
  const { rows } = await sql<Waiting & { total: number }>`
    select waiting.kind, waiting.id, waiting.since, count(*) over () as total
    from (${pageIn(unitId, { after: null, limit: urgentAmong })}) as waiting
      left join message on waiting.kind = 'message' and message.id = waiting.id
      left join template on waiting.kind = 'template' and template.id = waiting.id
    where ${matches}
    order by coalesce(message.schedule_at, message.expires_at), waiting.since, waiting.id
    offset ${skip} limit ${limit}`.execute(db)
  return { total: rows[0]?.total ?? 0, rows: rows.map(({ kind, id, since }) => ({ kind, id, since })) }
}
