select run.id, run.scenario_id as "scenarioId", run.unit_id as "unitId", run.subject_id as "subjectId",
      run.started_by as "startedBy", run.test, run.spoke_at as "spokeAt",
      run.spoke_at > clock_timestamp() - interval '1 minute' as "answersPerson", run.on_page as "onPage",
      coalesce(run.opening ? 'node', false) as "hasChosen",
      run.state, run.node, run.reason, run.version, run.observed_version < run.version as "isNew", run.problem, run.jumps, run.jumped_through as "jumpedThrough",
      run.deadline, run.answers, run.lookup_error as "lookupError",
      coalesce(start.variables, '{}') || run.variables as variables,
      "run".step_parked_at + make_interval(secs => $1::float8) as "stepRetryAt",
      scenario.state as "scenarioState", scenario_version.content, case when run.test then '{"mode": "all", "channels": ["chat"]}'::jsonb
        else "category"."channel_plan" end as plan,
      json_build_object('id', category.id, 'name', category.name, 'layer', category.layer) as category,
      jsonb_build_object('id', unit.id,
  'name', coalesce(unit.display_name, jsonb_build_object('zh-TW', unit.name)),
  'named', unit.display_name is not null, 'replyTo', unit.reply_to, 'sender', unit.sender,
  'timeZone', unit.time_zone) as unit,
      subject.uid, subject.display_name as "displayName", subject.locale, subject.stage,
      (run.test or category.consent_scope is null or exists (
        select from consent where consent.subject_id = run.subject_id and consent.scope = category.consent_scope
          and consent.withdrawn_at is null)) as consent,
      (select to_json(newest) from (
        select last_node as "lastNode", turn.state, turn.reason, turn.channel, turn.refused,
          extract(epoch from turn.closed_at)::float8 * 1000 as "closedAt",
          extract(epoch from greatest(turn.next_try_at, turn.lease_until))::float8 * 1000 as "nextTryAt"
        from turn where turn.run_id = run.id
        order by turn.state <> 'pending', case when turn.state = 'pending' then number else -number end limit 1) as newest) as turn,
      (select json_build_object('optionId', option_id, 'text', answer.text)
        from scenario_answer as answer where answer.run_id = run.id and answer.node = run.node) as answer,
      (select outcome from lookup where lookup.run_id = run.id and lookup.node = run.node) as looked,
      (select case when handoff.closed_at is null then 'open' else 'closed' end
        from handoff where handoff.run_id = run.id and handoff.node = run.node) as handoff,
      run.deadline is not null and (exists (
        select from webhook_event as event
        where event.subject_id = run.subject_id and event.done_at is null and event.received_at <= run.deadline
      ) or exists (
        select from webhook_event as event join address on address.channel = event.channel
          and address.address = event.address
        where address.subject_id = run.subject_id and event.done_at is null and event.received_at <= run.deadline
      )) as "pendingEvents",
      pattern.id as "patternId", case when pattern.id is not null then json_build_object(
        'deadline', extract(epoch from pattern.deadline)::float8 * 1000, 'capacity', pattern.capacity,
        'registered', case when pattern.capacity is null then 0 else (
          select count(*) from registration where pattern_id = pattern.id and state = 'registered') end,
        'timeZone', (select time_zone from unit where unit.id = pattern.unit_id), 'own', (
          select json_build_object('state', registration.state, 'byThisRun', run_id = run.id) from registration
          where pattern_id = pattern.id and registration.subject_id = run.subject_id),
        'hasEntry', pattern.calendar is not null) end as pattern,
      array(select channel from address where address.subject_id = run.subject_id and blocked_at is null) as open,
      clock_timestamp() as now
    from scenario_run as run
      join scenario on scenario.id = run.scenario_id
      join scenario_version on scenario_version.scenario_id = run.scenario_id
        and scenario_version.version = run.version_number
      join category on category.id = scenario_version.category_id
      join unit on unit.id = run.unit_id
      join subject on subject.id = run.subject_id
      left join pattern on pattern.scenario_id = run.scenario_id
      left join scenario_start as start on start.id = run.start_id
    where run.id = $2;
