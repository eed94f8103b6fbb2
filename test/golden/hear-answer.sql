with asked as materialized (
      select turn.run_id, turn.last_node, coalesce(turn.closed_at, 'infinity') as asked_at,
        run.closed_at as run_closed_at, exists (
        select from jsonb_array_elements(version.content -> 'nodes') as one
        where one ->> 'id' = turn.last_node and one ->> 'kind' in ('question', 'register')) as question
      from turn join scenario_run as run on run.id = turn.run_id
        join scenario_version as version on version.scenario_id = run.scenario_id
        and version.version = run.version_number
      where turn.subject_id = $1 and turn.channel is distinct from 'page' and (turn.state in ('sent', 'unknown')
        or turn.state = 'pending' and turn.unclear and turn.last_node = run.node
          and turn.first_try_at > clock_timestamp() - interval '1 minute')
        and ($2::timestamptz is null or coalesce(turn.first_try_at, turn.closed_at) <= $3)
      order by turn.id desc limit 20
    )
    select run_id as "runId", last_node as node,
      asked_at = (select max(asked_at) from asked) and asked_at > clock_timestamp() - interval '1 day' as newest
    from asked
    where question and (run_closed_at is null or run_closed_at > clock_timestamp() - interval '1 day')
    order by asked_at desc limit 1;

select run.id, run.unit_id as "unitId", run.scenario_id as "scenarioId", run.subject_id as "subjectId",
      version.state = 'in_force'
        and exists (select from scenario where id = run.scenario_id and state = 'active') as startable, run.state, run.test, run.reason as ending, run.node, run.deadline,
      version.content, subject.locale,
      (select pattern.deadline from pattern where pattern.scenario_id = run.scenario_id) as "patternEnds",
      (select case when registration.state = 'registered' and promoted_at is not null and run_id = run.id then 'unaware'
          when registration.state = 'registered' then 'registered'
          when registration.state = 'waitlisted' and run_id = run.id then 'waiting' end
        from registration join pattern on pattern.id = pattern_id
        where pattern.scenario_id = run.scenario_id and registration.subject_id = run.subject_id) as place,
      exists (select from scenario_run as open
        where open.scenario_id = run.scenario_id and open.subject_id = run.subject_id and open.closed_at is null) as "goesOn",
      unit.sender, clock_timestamp() as now, $1 as "askedNode", asked.id as "turnId",
      asked.number as "turnNumber", asked.closed_at as "turnClosedAt",
      (select saying from jsonb_array_elements(asked.says) as saying where saying ->> 'node' = $2 limit 1) as says,
      (select json_build_object('optionId', option_id, 'text', answer.text) from scenario_answer as answer
        where answer.run_id = run.id and answer.node = $3) as answer
    from scenario_run as run 
      join scenario_version as version on version.scenario_id = run.scenario_id
        and version.version = run.version_number
      join subject on subject.id = run.subject_id
      join unit on unit.id = run.unit_id
      left join lateral (
        select turn.id, turn.number, turn.says, turn.closed_at from turn
        where turn.run_id = run.id and exists (
          select from jsonb_array_elements(turn.says) as saying where saying ->> 'node' = $4)
        order by number desc limit 1
      ) as asked on true
    where run.id = $5 and run.subject_id = $6
    for no key update of run;

with stored as (
      insert into scenario_answer (run_id, node, option_id, text, data, webhook_event_id)
      values ($1, $2, $3, $4, $5, $6)
      on conflict do nothing
      returning run_id, node, option_id, text, data
    ),
    reported as (
      insert into callback_delivery (callback_id, run_id, type, subject_id, data, next_try_at)
      select c.id, run.id, 'run.answered', run.subject_id,
        jsonb_build_object('node', run.node, 'optionId', run.option_id, 'data', run.data),
        coalesce((select max(next_try_at) from callback_delivery as older
        where older.callback_id = c.id and coalesce(older.message_id, older.run_id, older.object_id) = run.id
          and older.sequence = 'changes' and older.outcome = 'pending'), clock_timestamp())
      from (select run.id, run.unit_id, run.test, run.subject_id, stored.node, stored.option_id, stored.data
        from stored join scenario_run as run on run.id = stored.run_id) as run join callback as c on c.unit_id = run.unit_id
      where not run.test and c.enabled and 'run.answered' = any(c.types) and exists (select from producer_key as k
      where k.id = substr(c.url_by, 5) and c.url_by like 'key:%' and k.revoked_at is null and k.individual_targeting)
    ),
    counted as (
      insert into pattern_answer (pattern_id, subject_id, question, option_id, text)
      select pattern.id, run.subject_id, $7, $8, stored.text
      from stored join scenario_run as run on run.id = stored.run_id
        join pattern on pattern.scenario_id = run.scenario_id
      where not run.test
      on conflict (pattern_id, subject_id, question) do update
      set option_id = excluded.option_id, text = excluded.text, at = excluded.at
    ),
    heard as (
      update webhook_event set outcome = 'answered', subject_id = run.subject_id, done_at = clock_timestamp()
      from scenario_run as run where run.id = $9 and webhook_event.id = $10
    )
    update scenario_run set version = version + 1, changed_at = clock_timestamp(), jumps = 0,
      jumped_through = '{}', on_page = $11,
      spoke_at = case when $12 then spoke_at else clock_timestamp() end
    from stored where scenario_run.id = stored.run_id;
