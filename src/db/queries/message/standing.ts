import { sql } from 'kysely'
import type { PlanMode } from '../../../contract/enums.ts'
import type { WaveCounts } from '../../../domain/message/stats.ts'
import type { Db } from '../../connect.ts'
import { shownState } from '../shown-state.ts'

/** How many messages of a unit are looked at for drafts and for those that were sent, the newest. */
const newest = 2_000

/** `nextAt`: when the first of those that are planned is sent; null: at once. */
export type StandingRow = {
  waiting: number
  planned: number
  nextAt: Date | null
  drafts: number
  sent: (WaveCounts & { mode: PlanMode })[]
}

/** `mine`: only what the actor wrote in; `timeZone`: of the unit. */
type StandingQuery = { unitId: string; actor: string; mine: boolean; timeZone: string }

/**
 * How the messages of a unit stand: what waits, is planned, is a draft that nobody is writing in, and was sent since the day
 * before.
 */
export async function findStanding(
  db: Db,
  { unitId, actor, mine, timeZone }: StandingQuery,
): Promise<StandingRow> {
  const isOwn = (id: string) =>
    mine
      ? sql`exists (select from message_author as author
          where author.message_id = ${sql.ref(id)} and author.actor = ${actor} and not author.copied)`
      : sql`true`
  const { rows } = await sql<StandingRow>`
    with open as (
      select ${shownState('m')} as stands, greatest(m.schedule_at, m.hold_until) as due from message m
      where m.unit_id = ${unitId} and m.closed_at is null and m.state <> 'draft' and ${isOwn('m.id')}
    ), newest as (
      select m.id, ${shownState('m')} as stands, m.channel_plan from message m
      where m.unit_id = ${unitId} order by m.id desc limit ${sql.lit(newest)}
    )
    select count(*) filter (where stands = 'submitted') as waiting,
      count(*) filter (where stands in ('approved', 'paused')) as planned,
      min(due) filter (where stands = 'approved') as "nextAt",
      (select count(*) from newest where newest.stands = 'draft' and ${isOwn('newest.id')}
        and not exists (select from composition where composition.message_id = newest.id)) as drafts,
      (select coalesce(jsonb_agg(jsonb_build_object('mode', newest.channel_plan ->> 'mode', 'expected', wave.expected,
          'sent', wave.sent, 'failed', wave.failed, 'unknown', wave.unknown, 'skipped', wave.skipped,
          'byChannel', wave.by_channel, 'people', wave.people)), '[]')
        from newest join wave on wave.message_id = newest.id and wave.number = 0
        where newest.stands = 'sent' and wave.finished_at >= (
          date_trunc('day', now() at time zone ${timeZone}) - interval '1 day') at time zone ${timeZone}
          and ${isOwn('newest.id')}) as sent
    from open`.execute(db)
  return rows[0]!
}
