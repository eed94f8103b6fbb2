import { sql } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { anyOf } from '../any-of.ts'
import type { Db } from '../connect.ts'
import { actorName } from './actor-name.ts'
import { selectMessageItem } from './message-item.ts'
import { retryingOf } from './retrying.ts'
import { versionInForce } from './template-version.ts'

/** A message with everything its detail shows, in one query; undefined where there is none in these units. */
export async function findMessageDetail(db: Db, actor: string, id: string, unitIds: string[]) {
  return selectMessageItem(db, actor)
    .innerJoin('message_content as content', 'content.message_id', 'm.id')
    .select(['m.topic_id', 'm.audience', 'm.channel_plan', 'm.plan_override', 'm.template_version'])
    .select(['content.request', 'content.frozen'])
    .select(retryingOf('up.id').as('retrying'))
    .select((from) => [
      jsonObjectFrom(
        from
          .selectFrom('template as t')
          .innerJoin('template_version as v', 'v.template_id', 't.id')
          .select(['t.id', 't.name', 'v.version', 'v.messages'])
          .whereRef('t.id', '=', 'm.template_id')
          .where(
            ({ ref }) =>
              sql<boolean>`v.version = coalesce(${ref('m.template_version')}, ${versionInForce(ref('t.id'))})`,
          ),
      ).as('template'),
      jsonObjectFrom(
        from
          .selectFrom('wave as r')
          .select(['r.state', 'r.expected', 'r.sent', 'r.failed', 'r.unknown', 'r.skipped', 'r.by_channel'])
          .whereRef('r.message_id', '=', 'm.id')
          .where('r.number', '=', 1),
      ).as('reminder'),
      jsonArrayFrom(
        from
          .selectFrom('audit')
          .select(['audit.at', 'audit.actor', 'audit.action', 'audit.reason'])
          .select(({ ref }) => actorName(ref('audit.actor')).as('actor_name'))
          .where('audit.object_kind', '=', 'message')
          .where((is) => is('audit.object_id', '=', is.cast<string>(is.ref('m.id'), 'text')))
          .orderBy('audit.id'),
      ).as('trail'),
    ])
    .where('m.id', '=', id)
    .where('m.unit_id', '=', anyOf(unitIds))
    .executeTakeFirst()
}
export type MessageDetailRow = NonNullable<Awaited<ReturnType<typeof findMessageDetail>>>
