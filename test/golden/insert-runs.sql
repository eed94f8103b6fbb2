with people as materialized (
      select subject_id, verdict from (
    select subject_id, locale, "chat" is null as "chat", "chat_bound",
      case when "chat" is not null then "chat" end as verdict
    from (
      select person.id as subject_id, person.locale,
        case when "chat_off".subject_id is not null then 'preferenceOff'
          when "chat_address".subject_id is null then 'noAddress'
          when "chat_address".blocked_at is not null or "chat_suppression".hash is not null then 'blocked' end as "chat",
        "chat_address".bound_at as "chat_bound"
      from (
        select id, locale from subject
        where true
      ) as person
      left join address as "chat_address" on "chat_address".subject_id = person.id
        and "chat_address".channel = 'chat'
      left join suppression as "chat_suppression" on "chat_suppression".channel = 'chat'
        and "chat_suppression".hash = "chat_address".hash
      left join preference as "chat_off" on "chat_off".subject_id = person.id
        and "chat_off".category_id = $1 and "chat_off".channel = 'chat' and not "chat_off".enabled
    ) as gates) as audience
    ),
    started as (
      insert into scenario_run (scenario_id, version_number, unit_id, subject_id, occasion, start_id, started_by,
        started_by_webhook, jumps, jumped_through, spoke_at, test, node, traceparent, queued_at, queued_mass,
        observed_version, on_page, opening, jumped_from)
      select $2::uuid, $3::integer, $4::uuid, subject_id, $5, $6::uuid,
        $7, $8::uuid, $9::integer,
        $10::uuid[], $11::timestamptz, $12::boolean, $13,
        $14::text, case when queued then clock_timestamp() end, queued and mass,
        case when queued then 1 else 0 end, $15::boolean, $16::jsonb,
        $17::uuid
      from (
        select subject_id, mass, place + (select count(*) from (
          select from scenario_run where unit_id = (select $18::uuid) and observed_version < version and queued_at is null
            and closed_at is null and wake_count < $19::int
          order by wake_count limit $20) as behind) > $21::int
          or case when mass then exists (select from scenario_run where unit_id = (select $22::uuid) and queued_at is not null) else exists (select from scenario_run where unit_id = (select $23::uuid) and queued_at is not null and not queued_mass) end as queued from (
          select subject_id, count(*) over () > 1 as mass, row_number() over (order by subject_id) as place
          from people where verdict is null
        ) as eligible
      ) as placed
      order by subject_id
      on conflict (scenario_id, subject_id, occasion) where closed_at is null do nothing
      returning id, subject_id, queued_at
    )
    select people.subject_id, people.verdict, started.id, started.queued_at is not null as queued
    from people left join started on started.subject_id = people.subject_id;
