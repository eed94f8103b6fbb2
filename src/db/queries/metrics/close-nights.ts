import { sql } from 'kysely'
import { anyOf } from '../../any-of.ts'
import { backOffAfter, maxTries } from '../../back-off.ts'
import type { Db, Trx } from '../../connect.ts'

/** Nights that one round closes: of all units that share a date. */
const perRound = 1_000
/** After midnight, for transactions that have begun before it. */
const settleMinutes = 5

const isOver = sql<boolean>`closed_at is null and (date + 1)::timestamp at time zone time_zone
        < clock_timestamp() - make_interval(mins => ${settleMinutes}::int)
        and (close_at is null or close_at <= clock_timestamp()) and close_tries < ${maxTries}`

/** The units with a night that is over and was not put off. */
export async function unitsWithNights(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct unit_id as id from day_metric join unit on unit.id = unit_id where ${isOver} order by unit_id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Puts off the oldest night of a unit that cannot be closed, with back-off. Returns its tries. */
export async function deferNight(db: Db, unitId: string): Promise<number | undefined> {
  const { rows } = await sql<{ tries: number }>`
    update day_metric as kept set close_tries = night.tries + 1, close_at = ${backOffAfter(sql`night.tries`)}
    from (
      select date, close_tries as tries from day_metric join unit on unit.id = unit_id
      where unit_id = ${unitId} and ${isOver} order by date limit 1
    ) as night
    where kept.unit_id = ${unitId} and kept.date = night.date
    returning kept.close_tries as tries`.execute(db)
  return rows[0]?.tries
}

/**
 * Closes the oldest nights of these units that are over: counts, from the rows, the people of each unit's day and what
 * they did. What is gone from the rows is not counted again: people stay as they were once deliveries of the day are
 * past retention. Waits for the waves of the day to be rolled up. Returns how many nights. Requires `lockRollUp`, after
 * `openDays`.
 */
export async function closeNights(trx: Trx, unitIds: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    with over as (
      select unit_id, date, date::timestamp at time zone time_zone as begins,
        (date + 1)::timestamp at time zone time_zone as ends
      from day_metric join unit on unit.id = unit_id
      where unit_id = ${anyOf(unitIds)} and ${isOver}
    ),
    night as materialized (
      select * from over
      where date = (select min(date) from over) and not exists (
        select from wave join message on message.id = wave.message_id
        where message.unit_id = over.unit_id and finished_at < over.ends and rolled_up_at is null
          and roll_up_tries < ${maxTries})
      limit ${perRound}
    ),
    span as materialized (select min(begins) as begins, max(ends) as ends from night),
    reached as (
      select unit_id, count(distinct subject_id) as people
      from delivery join wave_metric using (wave_id)
      where state in ('sent', 'unknown') and delivery.wave_id = any(array(
        select wave_id from night join wave_metric using (unit_id, date)))
      group by unit_id
    ),
    gone as (
      select distinct unit_id from night join wave_metric using (unit_id, date) join wave on wave.id = wave_id
      where purged_at is not null
    ),
    blocked as (
      select unit_id, count(*) as people
      from span join address on blocked_at >= span.begins and blocked_at < span.ends
        join contact using (subject_id) join night using (unit_id)
      where channel = 'chat' and blocked_at >= night.begins and blocked_at < night.ends and first_on <= night.date
      group by unit_id
    ),
    left_topics as (
      select unit_id, count(*) as n
      from night join topic using (unit_id) join topic_unsubscribe as off on off.topic_id = topic.id
      where at >= begins and at < ends group by unit_id
    ),
    left_categories as (
      select unit_id, count(distinct (subject_id, category_id)) as n
      from span join preference on not enabled and changed_at >= span.begins and changed_at < span.ends
        join contact using (subject_id) join night using (unit_id)
      where changed_at >= night.begins and changed_at < night.ends and first_on <= night.date
      group by unit_id
    ),
    handed as (
      select unit_id, count(*) as n
      from night join handoff using (unit_id)
      where opened_at >= begins and opened_at < ends and not test group by unit_id
    ),
    answered as (
      select unit_id, count(*) as n from (
        select message.unit_id, answer.at
        from span join message_answer as answer on at >= begins and at < ends
          join message on message.id = answer.message_id
        union all
        select run.unit_id, answer.at
        from span join scenario_answer as answer on at >= begins and at < ends
          join scenario_run as run on run.id = answer.run_id
        where not test
      ) as answer join night using (unit_id)
      where at >= begins and at < ends group by unit_id
    ),
    completed as (
      select unit_id, count(*) as n
      from span join scenario_run as run on closed_at >= span.begins and closed_at < span.ends
        join night using (unit_id)
      where state = 'done' and not test and closed_at >= night.begins and closed_at < night.ends
      group by unit_id
    )
    update day_metric as day set
      people = case when gone.unit_id is null then coalesce(reached.people, 0) else day.people end,
      blocked = coalesce(blocked.people, 0),
      unsubscribes = coalesce(left_topics.n, 0) + coalesce(left_categories.n, 0),
      handoffs = coalesce(handed.n, 0), answers = coalesce(answered.n, 0), completed = coalesce(completed.n, 0), closed_at = clock_timestamp()
    from night left join reached using (unit_id) left join gone using (unit_id) left join blocked using (unit_id)
      left join left_topics using (unit_id) left join left_categories using (unit_id) left join handed using (unit_id)
      left join answered using (unit_id) left join completed using (unit_id)
    where day.unit_id = night.unit_id and day.date = night.date
  `.execute(trx)
  return Number(numAffectedRows ?? 0)
}
