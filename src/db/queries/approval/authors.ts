import { type Expression, type RawBuilder, sql } from 'kysely'
import type { ApprovalKind } from '../../../contract/enums.ts'
import type { Db } from '../../connect.ts'
import { versionInForce } from './version-in-force.ts'

type Id = string | Expression<string | null>

/**
 * Every actor whose words stand in what an approver decides about, unless a person has approved them since
 * (docs/design/approvals.md); none of them may approve it. As an array in SQL, where `id` is a value or a column.
 */
export function authorsSinceApproved(kind: ApprovalKind, id: Id): RawBuilder<string[]> {
  return sql<string[]>`array(select distinct wrote.actor from (${authorsOf[kind](id)}) as wrote (actor))`
}

/** The same, read. */
export async function findAuthorsSinceApproved(db: Db, kind: ApprovalKind, id: string): Promise<string[]> {
  const { rows } = await sql<{ authors: string[] }>`
    select ${authorsSinceApproved(kind, id)} as authors`.execute(db)
  return rows[0]!.authors
}

/** A new kind says here whose words its newest version holds. */
const authorsOf: Record<ApprovalKind, (id: Id) => RawBuilder<unknown>> = {
  message: ofMessage,
  template: (id) => ofTemplate(id, newestOf('template', id)),
  event_binding: ofBinding,
  scenario: (id) => ofScenario(id, newestOf('scenario', id)),
}

/**
 * Who created, edited or submitted it or what it is a copy of, and who wrote the template that it uses. Its text is frozen
 * when it is submitted, so an approval holds until the message returns to review.
 */
function ofMessage(id: Id): RawBuilder<unknown> {
  const template = sql.ref<string | null>('decided.template_id')
  const version = sql<number>`coalesce(decided.template_version, ${versionInForce(template)})`
  return sql`
    select words.actor from message as decided cross join lateral (
      select written.actor from message_author as written where written.message_id = decided.id
      union all
      ${ofTemplate(template, version)}
    ) as words
    where decided.id = ${id} and (decided.state in ('draft', 'submitted', 'rejected') or not coalesce((
      select trail.action = 'approve' and trail.actor like 'person:%' from audit as trail
      where trail.object_kind = 'message' and trail.object_id = decided.id::text and trail.action in ('approve', 'drift')
      order by trail.id desc limit 1), false))`
}

/** The rejected versions as well: the next one builds on them. */
function ofTemplate(id: Id, upTo: RawBuilder<number>): RawBuilder<unknown> {
  return sql`
    select unnest(versions.authors) as actor from (
      select distinct written.authors || written.created_by as authors from template_version as written
      where written.template_id = ${id} and written.version <= ${upTo} and written.version > coalesce((
        select max(approved.version) from template_version as approved
        where approved.template_id = ${id} and approved.version <= ${upTo} and approved.state = 'approved'), 0)
    ) as versions`
}

/** With those of what its events tell people: the template or the scenario, as they are now. */
function ofBinding(id: Id): RawBuilder<unknown> {
  const [template, scenario] = [
    sql.ref<string | null>('newest.template_id'),
    sql.ref<string | null>('newest.scenario_id'),
  ]
  const inForce = sql`select following.version from scenario_version as following
    where following.scenario_id = ${scenario} and following.state = 'in_force'`
  return sql`
    select words.actor from event_binding_version as newest cross join lateral (
      select unnest(written.authors) as actor from event_binding_version as written
      where written.binding_id = newest.binding_id and written.version > coalesce((
        select max(approved.version) from event_binding_version as approved
        where approved.binding_id = newest.binding_id and approved.took_effect_at is not null
          and approved.decided_by is not null), 0)
      union all
      ${ofTemplate(template, versionInForce(template))}
      union all
      ${ofScenario(scenario, sql`coalesce((${inForce}), ${newestOf('scenario', scenario)})`)}
    ) as words
    where newest.binding_id = ${id} and newest.version = ${newestOf('event_binding', id)}`
}

function ofScenario(id: Id, upTo: RawBuilder<number>): RawBuilder<unknown> {
  return sql`
    select unnest(written.authors) as actor from scenario_version as written
    where written.scenario_id = ${id} and written.version <= ${upTo} and written.version > coalesce((
      select max(approved.version) from scenario_version as approved
      where approved.scenario_id = ${id} and approved.version <= ${upTo} and approved.state in ('in_force', 'replaced')
        and approved.decided_by is not null and not approved.automatic), 0)`
}

function newestOf(kind: Exclude<ApprovalKind, 'message'>, id: Id): RawBuilder<number> {
  const [table, owner] = {
    template: ['template_version', 'template_id'],
    event_binding: ['event_binding_version', 'binding_id'],
    scenario: ['scenario_version', 'scenario_id'],
  }[kind] as [string, string]
  return sql<number>`(select max(version) from ${sql.table(table)} where ${sql.ref(owner)} = ${id})`
}
