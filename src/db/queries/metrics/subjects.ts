import { sql } from 'kysely'
import type { Stage } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { ExecutiveMetrics } from '../../../contract/metrics/executive.ts'
import type { Db, Trx } from '../../connect.ts'

/** A count of all people stands for so long, unless there were none; in seconds. */
const stands = 240
/** A source, ref or tag that fewer people have could say who they are. */
const fewest = limits.smallestAudience

/**
 * Counts all people: by source and stage, by interest, and alumni by the day on which they last did something. Sources of
 * fewer than five people count as `other`. A source that reads like another one with a ref (`event:sis:2026`) has the key
 * for itself, so that sources add up to everybody.
 * Reads the whole table of people, so that it is done once for all callers. Returns 0 if the last count still stands.
 */
export async function countPeople(trx: Trx): Promise<number> {
  const { numAffectedRows } = await sql`
    update people_metric set counted_at = clock_timestamp(),
      funnel = (
        with acquired as (
          select acquisition_source as source, acquisition_ref as ref, stage, count(*)::bigint as people
          from subject group by 1, 2, 3
        )
        select coalesce(jsonb_object_agg(source, stages), '{}') from (
          select distinct on (source) source, jsonb_build_object('visitor', ${inStage('visitor')},
            'lead', ${inStage('lead')}, 'member', ${inStage('member')}, 'alumni', ${inStage('alumni')}) as stages
          from (
            select case when source is null then 'unknown'
              when length(source) > ${limits.metricsKeyLength} or of_source < ${fewest} then 'other'
              else source end as source, stage, people, 1 as fewest
            from (
              select source, stage, people, sum(people) over (partition by source) as of_source from acquired
            ) as of_sources
            union all
            select source || ':' || ref, stage, people, ${fewest}::int from acquired
            where source is not null and ref is not null
          ) as named
          where length(source) <= ${limits.metricsKeyLength}
          group by source, fewest having sum(people) >= fewest
          order by source, fewest
        ) as counted
      ),
      interests = (
        select coalesce(jsonb_object_agg(tag, people), '{}') from (
          select case when n >= ${fewest} and length(tag) <= ${limits.metricsKeyLength} then tag else 'other' end as tag,
            count(distinct id) as people
          from (
            select id, tag, count(*) over (partition by tag) as n
            from subject cross join lateral unnest(tags) as tag where tag like 'interest:%'
          ) as carried
          group by 1
        ) as counted
      ),
      alumni = (select count(*) from subject where stage = 'alumni'),
      alumni_active = (
        select coalesce(jsonb_object_agg(day, people), '{}') from (
          select (at at time zone 'UTC')::date as day, count(*) as people
          from subject cross join lateral (select greatest(
            (select max(read_at) from inbox_read where subject_id = subject.id),
            (select max(at) from message_answer where subject_id = subject.id),
            (select max(at) from do_not_remind where subject_id = subject.id),
            (select max(at) from scenario_run as run join scenario_answer on run_id = run.id
              where run.subject_id = subject.id and not test)) as at) as last
          where stage = 'alumni' and at > clock_timestamp() - make_interval(days => ${limits.metricsDays}::int + 1)
          group by 1
        ) as counted
      )
    where counted_at is null or funnel = '{}' or counted_at < clock_timestamp() - make_interval(secs => ${stands}::int)
  `.execute(trx)
  return Number(numAffectedRows ?? 0)
}

function inStage(stage: Stage) {
  return sql`coalesce(sum(people) filter (where stage = ${sql.lit(stage)}), 0)::bigint`
}

/** All people in numbers, as last counted; alumni as `active` who did something in the last `days` days (UTC). */
export async function readPeople(
  db: Db,
  days: number,
): Promise<Pick<ExecutiveMetrics, 'funnel' | 'interests' | 'alumni'>> {
  const { rows } = await sql<Pick<ExecutiveMetrics, 'funnel' | 'interests' | 'alumni'>>`
    select funnel, interests, jsonb_build_object('total', alumni, 'active', (
      select coalesce(sum(value::integer), 0) from jsonb_each_text(alumni_active)
      where key::date > (clock_timestamp() at time zone 'UTC')::date - ${days}::int)) as alumni
    from people_metric
  `.execute(db)
  return rows[0]!
}
