with moved as (
      update scenario_run set state = $1, node = $2, reason = $3,
        deadline = $4,
        variables = $5, answers = $6,
        lookup_error = $7,
        entered_at = case when node = $8 then entered_at else clock_timestamp() end,
        closed_at = case when $9 then clock_timestamp() end,
        version = version + 1, observed_version = version + 1, changed_at = clock_timestamp(),
        next_wakeup_at = clock_timestamp() + make_interval(secs => $10::float8), woken_at = null, wake_count = 0, wedged_at = null, wedged_failures = 0,
        step_failures = 0, step_parked_at = null, problem = null, queued_at = null
      where id = $11 and version = $12 and closed_at is null
      returning id, unit_id, test, state, reason
    ),
    passed as (
      insert into scenario_step (run_id, node, edge, to_node, reason, left_at)
      select moved.id, given.node, given.edge, given.to, given.reason,
        case when given.edge is not null then clock_timestamp() end
      from moved, jsonb_to_recordset($13::jsonb) as given (node text, edge text, "to" text, reason text)
      on conflict (run_id, node) do update
      set edge = excluded.edge, to_node = excluded.to_node, reason = excluded.reason, left_at = excluded.left_at
      where excluded.edge is not null
    ),
    said as (
      insert into turn (run_id, number, first_node, last_node, subject_id, unit_id, answers_person, locale, says)
      select moved.id, (select count(*) from turn where turn.run_id = moved.id) + 1, $14,
        $15,
        $16, $17, $18, $19, $20
      from moved where $21
      returning *
    )
    select exists (select from moved) as moved, next.*
    from (select) as one left join (
    select turn.id, run.id as "runId", turn.unit_id as "unitId", turn.subject_id as "subjectId",
      turn.last_node as "lastNode", turn.locale, turn.says, turn.answers_person or run.test as "answersPerson",
      version.content, case
        when version.state in ('in_force', 'replaced') and version.decided_by is not null then jsonb_build_object(
          'of', 'scenario', 'id', version.scenario_id, 'version', version.version, 'by', version.decided_by) end as approval,
      case when run.test and run.started_by like 'person:%' then run.started_by end as member,
      json_build_object('id', c.id, 'name', c.name, 'layer', c.layer, 'consentScope', case when not run.test then c.consent_scope end,
        'plan', case when run.test then '{"mode": "all", "channels": ["chat"]}'::jsonb
        else "c"."channel_plan" end) as category,
      jsonb_build_object('id', unit.id,
  'name', coalesce(unit.display_name, jsonb_build_object('zh-TW', unit.name)),
  'named', unit.display_name is not null, 'replyTo', unit.reply_to, 'sender', unit.sender,
  'timeZone', unit.time_zone) as unit
    from said as turn join scenario_run as run on run.id = turn.run_id
      join scenario_version as version on version.scenario_id = run.scenario_id
        and version.version = run.version_number
      join category as c on c.id = version.category_id
      join unit on unit.id = turn.unit_id
      where turn.subject_id is not null and not exists (
        select from turn as earlier where earlier.run_id = $22 and earlier.state = 'pending')
    ) as next on true;
