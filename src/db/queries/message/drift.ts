import { type Expression, type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { GroupKind } from '../../../contract/enums.ts'
import type { Drift, DriftGroup } from '../../../domain/audience/drift.ts'
import type { Db } from '../../connect.ts'
import { actorName } from '../identity/person.ts'

/** The stored drift, with the names of its groups and of those who changed them. */
export type NamedDrift = Omit<Drift, 'groups'> & {
  groups: (DriftGroup & { name: string; actorName: string | null })[]
}

/** The drift of a message that waits for review because of it; otherwise null. */
export function driftOf(message: {
  drift: Expression<unknown>
  reviewDrift: Expression<boolean>
}): RawBuilder<NamedDrift | null> {
  const { drift, reviewDrift } = message
  return sql`case when ${reviewDrift} then ${drift} || jsonb_build_object('groups', (
    select coalesce(jsonb_agg(entry || jsonb_build_object(
        'name', changed.name, 'actorName', ${actorName(sql<string>`entry ->> 'actor'`)}
      ) order by ordinal), '[]')
    from jsonb_array_elements(${drift} -> 'groups') with ordinality as each (entry, ordinal)
    join subject_group as changed on changed.id = (entry ->> 'groupId')::uuid
  )) end`
}

/** The groups on which the audience of a submitted message depends, by name, with the key that kept each then. */
export function audienceGroupsOf(db: Pick<Db, 'selectFrom'>, messageId: Expression<string>) {
  return jsonArrayFrom(
    db
      .selectFrom('audience_group as named')
      .innerJoin('subject_group as g', 'g.id', 'named.group_id')
      .leftJoin('producer_key as k', 'k.id', 'named.kept_by')
      .select(['g.id', 'g.name', sql<GroupKind>`g.kind`.as('kind'), 'named.kept_by as keptBy'])
      .select('k.name as keeperName')
      .where('named.message_id', '=', messageId)
      .orderBy('g.name')
      .orderBy('g.id'),
  )
}
