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
      select moved.id, input.node, input.edge, input.to, input.reason,
        case when input.edge is not null then clock_timestamp() end
      from moved, jsonb_to_recordset($13::jsonb) as input (node text, edge text, "to" text, reason text)
      on conflict (run_id, node) do update
      set edge = excluded.edge, to_node = excluded.to_node, reason = excluded.reason, left_at = excluded.left_at
      where excluded.edge is not null
    ),
    said as (
      insert into turn (run_id, number, first_node, last_node, subject_id, unit_id, answers_person, locale, says,
        channel)
      select moved.id, (select count(*) from turn where turn.run_id = moved.id) + 1, $14,
        $15,
        $16, $17, $18, $19, $20,
        $21::text
      from moved where $22
    )
    select exists (select from moved) as moved;
