import { sql } from 'kysely'
import type { Invariant } from './invariant.ts'

/** A conversation is at one node, followed one path, waits for one side, and counted each answer that came in time. */
export const scenarioInvariants: Invariant[] = [
  {
    name: 'one-open-run',
    means:
      'a person has one open run of a scenario for each occasion; open runs have a version, closed ones a time',
    broken: sql`
      select format('scenario %s: subject %s has %s open runs', scenario_id, subject_id, count(*)) as violation
      from scenario_run where closed_at is null and subject_id is not null
      group by scenario_id, subject_id, occasion having count(*) > 1
      union all
      select format('scenario run %s: %s, closed at %s', id, state, coalesce(to_char(closed_at at time zone 'utc',
        'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'never'))
      from scenario_run where (state in ('running', 'waiting')) <> (closed_at is null)
      union all
      select format('scenario run %s: no version %s', id, version_number)
      from scenario_run left join scenario_version as version
        on version.scenario_id = scenario_run.scenario_id and version.version = version_number
      where closed_at is null and version.version is null`,
  },
  {
    name: 'paths-join-up',
    means: 'each step of a closed run leads to another one of it, except the last, which is where it ended',
    broken: sql`
      select format('scenario run %s: %s steps, %s without an edge, %s lead nowhere', run.id, steps, ends, astray)
        as violation
      from scenario_run as run cross join lateral (
        select count(*) as steps, count(*) filter (where step.edge is null) as ends,
          count(*) filter (where step.edge is not null and next.node is null) as astray,
          count(distinct step.to_node) as targets, bool_or(step.edge is null and step.node <> run.node) as elsewhere
        from scenario_step as step
          left join scenario_step as next on next.run_id = step.run_id and next.node = step.to_node
        where step.run_id = run.id
      ) as path
      where run.closed_at is not null and run.purged_at is null and steps > 0
        and (ends <> 1 or astray > 0 or targets <> steps - 1 or elsewhere)`,
  },
  {
    name: 'handoffs-have-ends',
    means: 'an open handoff of a run is one that the run waits for, at its node',
    broken: sql`
      select format('handoff %s: scenario run %s is %s at %s', handoff.id, run.id, run.state, run.node) as violation
      from handoff join scenario_run as run on run.id = handoff.run_id
      where handoff.closed_at is null and (run.closed_at is not null or run.node <> handoff.node)`,
  },
  {
    name: 'answers-beat-time-outs',
    means: 'no run leaves a question by its time-out if the answer was taken, or its tap was stored, in time',
    broken: sql`
      select format('scenario run %s: question %s', run_id, node) as violation
      from scenario_answer as answer join scenario_step as step using (run_id, node)
      where step.edge = '{"kind":"timeout"}' and answer.at <= step.left_at
      union all
      select format('scenario run %s: question %s, tapped %s s before its end', step.run_id, step.node,
        round(extract(epoch from ends.at - event.received_at)))
      from webhook_event as event
        cross join lateral (
          select case when pg_input_is_valid(event.payload #>> '{postback,data}', 'jsonb')
            then (event.payload #>> '{postback,data}')::jsonb end as data
        ) as tap
        join scenario_step as step on step.run_id::text = data ->> 's' and step.node = data ->> 'm'
        join scenario_run as run on run.id = step.run_id
        join turn on turn.run_id = run.id and turn.last_node = step.node
        join scenario_version as version on version.scenario_id = run.scenario_id
          and version.version = run.version_number
        cross join lateral (
          select turn.closed_at + make_interval(secs => (one ->> 'timeoutSeconds')::float8) as at
          from jsonb_array_elements(version.content -> 'nodes') as one where one ->> 'id' = step.node
        ) as ends
      where event.channel = 'chat' and event.outcome = 'late' and step.edge = '{"kind":"timeout"}'
        -- An event is received a moment before it is stored.
        and event.received_at < ends.at - interval '1 second'
        and not exists (select from pattern where pattern.scenario_id = run.scenario_id)`,
  },
]
