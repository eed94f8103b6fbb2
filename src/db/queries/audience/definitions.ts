import { type RawBuilder, sql } from 'kysely'
import type { GroupChangeKind } from '../../../contract/enums.ts'
import type { Audience } from '../../../domain/audience/audience.ts'
import type { DriftGroup } from '../../../domain/audience/drift.ts'
import { isId } from '../../../domain/lib/id.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import { groupsIn } from './subjects.ts'

/**
 * Lets one writer at a time change who is in a group, until the transaction ends, so that the ids of its changes are in
 * the order of commits. Lock order: before any row. Recipients who join by a button do not take it.
 */
export async function lockDefinition(trx: Trx, groupId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`group ${groupId}`}, 0))`.execute(trx)
}

/** Records a change of a group's members or query. Requires `lockDefinition`. */
export async function insertGroupChange(
  trx: Trx,
  change: { groupId: string; what: GroupChangeKind; actor: string; approver: boolean },
): Promise<void> {
  const { groupId, what, actor, approver } = change
  await trx.insertInto('group_change').values({ group_id: groupId, what, actor, approver }).execute()
}

/**
 * Records the groups on which the audience of a message depends, with the key that keeps each and its newest change;
 * replaces what an earlier snapshot recorded. Call it before counting: a change in between then counts as one after the
 * snapshot.
 */
export async function recordDefinitions(
  trx: Trx,
  messageId: string,
  { unitId, audience }: { unitId: string; audience: Audience },
): Promise<void> {
  const ids = groupsIn(audience).filter(isId)
  if (ids.length === 0) return
  await sql`
    with named as materialized (${dependencies(ids, unitId)}
    ),
    gone as (
      delete from audience_group where message_id = ${messageId} and group_id not in (select id from named)
    )
    insert into audience_group (message_id, group_id, kept_by, last_change)
    select ${messageId}::uuid, id, kept_by,
      coalesce((select max(change.id) from group_change as change where change.group_id = named.id), 0)
    from named
    on conflict (message_id, group_id) do update
    set kept_by = excluded.kept_by, last_change = excluded.last_change`.execute(trx)
}

/** These groups, and those in the queries of dynamic ones, which may name static groups only. */
function dependencies(ids: string[], unitId: string): RawBuilder<unknown> {
  return sql`
      select id, kept_by from subject_group where id = ${anyOf(ids)} and unit_id = ${unitId}
      union
      select part.id, part.kept_by from subject_group as whole
      cross join lateral jsonb_array_elements_text(
        coalesce(whole.query -> 'groups', '[]') || coalesce(whole.query #> '{exclude,groups}', '[]')
      ) as inside (id)
      join subject_group as part on part.id = inside.id::uuid and part.unit_id = ${unitId}
      where whole.id = ${anyOf(ids)} and whole.unit_id = ${unitId}`
}

/** `trusted`: by the key that kept the group at the snapshot, or by an approver who is no author of the message. */
export type DefinitionChange = DriftGroup & { trusted: boolean }

/** Most changes shown to an approver; those that are not trusted come first. */
const changesShown = 20

/**
 * What people and keys changed since the snapshot in the groups on which a message's audience depends: once per group,
 * actor and kind of change. Call it after counting: it then knows every change that was counted. Reads only if the
 * audience names groups.
 */
export async function findDefinitionChanges(
  db: Db | Trx,
  { messageId, audience }: { messageId: string; audience: Audience },
): Promise<DefinitionChange[]> {
  if (groupsIn(audience).length === 0) return []
  const { rows } = await sql<Omit<DefinitionChange, 'at'> & { at: Date }>`
    select change.group_id as "groupId", change.what as change, change.actor, min(change.at) as at,
      bool_and(coalesce(change.actor = 'key:' || named.kept_by, false) or (change.approver and not exists (
        select from message_author where message_id = ${messageId} and message_author.actor = change.actor
      ))) as trusted
    from audience_group as named
    join group_change as change on change.group_id = named.group_id and change.id > named.last_change
    where named.message_id = ${messageId}
    group by change.group_id, change.what, change.actor
    order by trusted, min(change.id)
    limit ${changesShown}`.execute(db)
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}
