import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import { actorName } from './actor-name.ts'
import { nextTry } from './parking.ts'

/** Everything a row of a list shows, with whether `actor` is among its authors. */
export function selectMessageItem(db: Db, actor: string) {
  return db
    .selectFrom('message as m')
    .innerJoin('category as c', 'c.id', 'm.category_id')
    .leftJoin('wave as w', (join) => join.onRef('w.message_id', '=', 'm.id').on('w.number', '=', 0))
    .leftJoin('wave as r', (join) => join.onRef('r.message_id', '=', 'm.id').on('r.number', '=', 1))
    .leftJoin('wave as up', (join) =>
      join.on('up.id', '=', sql`case m.state when 'sent' then r.id else w.id end`),
    )
    .select(['m.id', 'm.version', 'm.title', 'm.state', 'm.paused_from', 'm.kind', 'm.origin', 'm.unit_id'])
    .select(['m.category_id', 'c.name as category_name', 'm.created_by', 'm.created_at', 'm.submitted_at'])
    .select(['m.schedule_at', 'm.expires_at', 'm.remind_at', 'm.snapshot', 'm.snapshot_at'])
    .select(['m.review_reason', 'm.review_drift', 'm.problem', 'm.closed_at', 'm.purged_at'])
    .select(['w.expected', 'w.sent', 'w.failed', 'w.unknown', 'w.skipped', 'w.by_channel'])
    .select(['r.state as reminder_state', 'up.claimed', 'up.parked', 'up.parked_at'])
    .select(nextTry('up').as('next_try_at'))
    .select((from) => [
      actorName(from.ref('m.created_by')).as('author_name'),
      sql<Date>`clock_timestamp()`.as('now'),
      from
        .exists(
          from
            .selectFrom('message_author as a')
            .select('a.actor')
            .whereRef('a.message_id', '=', 'm.id')
            .where('a.actor', '=', actor),
        )
        .as('is_author'),
    ])
}
export type MessageItemRow = Awaited<
  ReturnType<ReturnType<typeof selectMessageItem>['executeTakeFirstOrThrow']>
>
