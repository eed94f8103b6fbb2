with people as materialized (
      select subject_id, locale, channel, verdict,
        row_number() over (partition by verdict is null, channel, locale order by subject_id) - 1 as ordinal
      from (
    select subject_id, locale, way.channel, verdict, way.bound_at
    from (
    select subject_id, locale, "chat" is null as "chat", "email" is null as "email", "chat_bound", "email_bound", "chat" as "chat_verdict", "email" as "email_verdict",
      case when "chat" is not null and "email" is not null then "chat" end as verdict
    from (
      select person.id as subject_id, person.locale,
        case when "chat_address".subject_id is null then 'noAddress'
          when "chat_address".blocked_at is not null or "chat_suppression".hash is not null then 'blocked' end as "chat",
        case when "email_address".subject_id is null then 'noAddress'
          when "email_address".blocked_at is not null or "email_suppression".hash is not null then 'blocked' end as "email",
        "chat_address".bound_at as "chat_bound",
        "email_address".bound_at as "email_bound"
      from (
        select id, locale from subject
        where subject.uid = any($1::text[])
      ) as person
      left join address as "chat_address" on "chat_address".subject_id = person.id
        and "chat_address".channel = 'chat'
      left join suppression as "chat_suppression" on "chat_suppression".channel = 'chat'
        and "chat_suppression".hash = "chat_address".hash
      left join address as "email_address" on "email_address".subject_id = person.id
        and "email_address".channel = 'email'
      left join suppression as "email_suppression" on "email_suppression".channel = 'email'
        and "email_suppression".hash = "email_address".hash
    ) as gates) as individuals
    cross join lateral (values ('chat', "chat", "chat_bound"), ('email', "email", "email_bound")) as way (channel, open, bound_at)
    where way.open or (verdict is not null and way.channel = 'chat')) as individuals
    ),
    groups as (
      select channel, locale, verdict, count(*) as count from people group by channel, locale, verdict
    ),
    size (channel, per_batch) as (values ('chat', 500), ('email', 64)),
    runs as (
      select channel, locale, count, per_batch,
        0 + sum((count - 1) / per_batch + 1) over (partition by channel order by locale)
          - ((count - 1) / per_batch + 1) as first_batch
      from groups join size using (channel) where verdict is null
    ),
    inserted as (
      insert into delivery (wave_id, subject_id, channel, batch, state, reason)
      select $2::uuid, subject_id, channel,
        case when verdict is null then first_batch + ordinal / per_batch end,
        case when verdict is null then 'pending' else 'skipped' end, verdict
      from people left join runs using (channel, locale)
    ),
    batched as (
      insert into batch (wave_id, channel, number, locale, size, repeats)
      select $3::uuid, channel, first_batch + start / per_batch, locale,
        least(per_batch, count - start), false
      from runs cross join generate_series(0, count - 1, per_batch) as start
    )
    select (
        select json_agg(json_build_object('channel', channel, 'reason', verdict, 'count', count, 'locales', locales))
        from (
          select channel, verdict, sum(count) as count, array_agg(locale order by locale) as locales
          from groups group by channel, verdict
        ) as of_channel
      ) as groups,
      '[]'::json as compared;
