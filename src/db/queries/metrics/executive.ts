import { type RawBuilder, sql } from 'kysely'
import type { ExecutiveMetrics } from '../../../contract/metrics/executive.ts'
import type { Db } from '../../connect.ts'

type Reminders = ExecutiveMetrics['reminders']

/** What is counted of a unit in its last days. */
type UnitCounts = Omit<ExecutiveMetrics['reach'], 'readRate' | 'blockRate'> &
  ExecutiveMetrics['unsubscribes'] &
  Pick<ExecutiveMetrics, 'conversations' | 'handoffs'>

/** A unit's last `days` days, today included: the first, and the moment it begins. */
export const spanOf = (unitId: string, days: number): RawBuilder<unknown> => sql`
  select unit.id as unit_id, first, first::timestamp at time zone time_zone as begins
  from unit
    cross join lateral (select (clock_timestamp() at time zone time_zone)::date - ${days - 1}::int as first) as day
  where unit.id = ${unitId}`

/**
 * A unit's last `days` days in numbers: of messages from what was rolled up, of all else from the rows by index. One
 * statement, so that its numbers belong together.
 */
export async function readUnitCounts(db: Db, unitId: string, days: number): Promise<UnitCounts> {
  const { rows } = await sql<UnitCounts>`
    with span as materialized (${spanOf(unitId, days)}),
    run as (
      select run.id, subject_id, state from span join scenario_run as run using (unit_id)
      where created_at >= begins and not test
    ),
    handed as (
      select handoff.id from span join handoff using (unit_id) where opened_at >= begins and not test
    )
    select sent, reached, read,
      (select coalesce(sum(people), 0) from span join contact_day using (unit_id) where date >= first)::int as people,
      (select count(*) from span join address on blocked_at >= begins and channel = 'chat'
        join contact using (unit_id, subject_id) where last_on >= first) as blocked,
      (select count(*) from span join topic using (unit_id) join topic_unsubscribe on topic_id = topic.id
        where at >= begins) as topics,
      (select count(distinct (subject_id, category_id)) from span join preference on not enabled and changed_at >= begins
        join contact using (unit_id, subject_id) where last_on >= first) as categories,
      (select jsonb_build_object('runs', count(*), 'people', count(distinct subject_id),
          'completed', count(*) filter (where state = 'done'),
          'turns', (select count(*) from run join turn on run_id = run.id where turn.state in ('sent', 'unknown')
            and by is distinct from 'page'))
        from run) as conversations,
      (select jsonb_build_object('toPerson', count(*), 'replies', (
          select count(*) from handed join turn on handoff_id = handed.id where turn.state in ('sent', 'unknown')))
        from handed) as handoffs
    from (
      select coalesce(sum(sent), 0)::int as sent, coalesce(sum(reached), 0)::int as reached,
        coalesce(sum(read), 0)::int as read
      from span join day_metric using (unit_id) where date >= first
    ) as total
  `.execute(db)
  return rows[0]!
}

/** How people responded to the newest `limit` messages with a reminder that a unit sent in its last `days` days. */
export async function readReminders(
  db: Db,
  unitId: string,
  { days, limit }: { days: number; limit: number },
): Promise<Reminders> {
  const { rows } = await sql<{ messageId: string; counts: Reminders[string] }>`
    with span as materialized (${spanOf(unitId, days)})
    select kept.message_id as "messageId", jsonb_build_object('reached', kept.reached, 'read', kept.read,
      'doNotRemind', kept.do_not_remind, 'sentAfterReminder', coalesce(reminder.sent, 0)) as counts
    from (
      select wave_metric.* from span join wave_metric using (unit_id)
      where date >= first and reminded order by date desc, wave_id desc limit ${limit}
    ) as kept
      left join wave_metric as reminder on reminder.message_id = kept.message_id and reminder.number = 1
  `.execute(db)
  return Object.fromEntries(rows.map(({ messageId, counts }) => [messageId, counts]))
}
