select coalesce(scenario.state, 'active') as "scenarioState", run.reason as ending,
      run.closed_at is not null as over,
      coalesce(run.started_by like 'recipient:%' and not run.test, false) as "startedByPerson", turn.channel, turn.address,
      turn.content as compiled, turn.by, turn.retry_key as "retryKey", turn.unclear, turn.refused, turn.tries,
      turn.held_ms as "heldMs", extract(epoch from clock_timestamp() - turn.first_try_at)::float8 * 1000 as "triedMs",
      json_build_object('chat', case when "chat_off".subject_id is not null then 'preferenceOff'
          when "chat_address".subject_id is null then 'noAddress'
          when "chat_address".blocked_at is not null or "chat_suppression".hash is not null then 'blocked' end, 'email', case when "email_off".subject_id is not null then 'preferenceOff'
          when "email_address".subject_id is null then 'noAddress'
          when "email_address".blocked_at is not null or "email_suppression".hash is not null then 'blocked' end) as verdicts,
      json_build_object('chat', "chat_address"."address", 'email', "email_address"."address") as addresses,
      case when $1::boolean then null else 
  case when c.quiet_hours is not null and c.layer <> 'mandatory'
    then jsonb_build_object('hours', c.quiet_hours, 'timeZone', u.time_zone) end end as quiet,
      (select coalesce(json_object_agg(channel, until), '{}') from channel_rest where until > clock_timestamp()) as rests,
      (select json_build_object('eventId', event.id, 'token', event.payload ->> 'replyToken',
          'ageMs', extract(epoch from clock_timestamp() - event.received_at)::float8 * 1000)
        from webhook_event as event
        where event.channel = 'chat' and event.address = chat_address.address and event.reply_used_at is null
          and event.received_at > clock_timestamp() - make_interval(secs => $2::float8)
          and event.payload ->> 'replyToken' <> ''
        order by event.received_at desc limit 1) as token,
      (select json_build_object('token', event.payload ->> 'replyToken', 'ageMs', extract(epoch from clock_timestamp() - event.received_at)::float8 * 1000)
        from webhook_event as event where event.id = turn.reply_event_id) as "usedToken",
      clock_timestamp() as now
    from turn left join scenario_run as run on run.id = turn.run_id
      left join scenario on scenario.id = run.scenario_id
      left join category as c on c.id = $3
      join unit as u on u.id = turn.unit_id
      join subject as person on person.id = $4
      left join address as "chat_address" on "chat_address".subject_id = person.id
        and "chat_address".channel = 'chat'
      left join suppression as "chat_suppression" on "chat_suppression".channel = 'chat'
        and "chat_suppression".hash = "chat_address".hash
      left join preference as "chat_off" on "chat_off".subject_id = person.id
        and "chat_off".category_id = $5 and "chat_off".channel = 'chat' and not "chat_off".enabled
      left join address as "email_address" on "email_address".subject_id = person.id
        and "email_address".channel = 'email'
      left join suppression as "email_suppression" on "email_suppression".channel = 'email'
        and "email_suppression".hash = "email_address".hash
      left join preference as "email_off" on "email_off".subject_id = person.id
        and "email_off".category_id = $6 and "email_off".channel = 'email' and not "email_off".enabled
    where turn.id = $7 and turn.state = 'pending' 
      and (turn.lease_until is null or turn.lease_until <= clock_timestamp() or turn.claimed_by = $8)
      and (turn.next_try_at is null or turn.next_try_at <= clock_timestamp())
    for no key update of turn skip locked;
