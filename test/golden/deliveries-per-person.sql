with people as materialized (
      select subject_id, locale, channel, verdict,
        row_number() over (partition by verdict is null, channel, locale order by subject_id) - 1 as ordinal,
        case when verdict is null and channel = 'chat' then uuid_hash_extended("subject_id", timestamptz_hash_extended("bound_at", (select seed from audience_sample where message_id = $1 and channel = 'chat'))) end as "chat_mark"
      from (
    select subject_id, locale, 'chat' as channel, verdict,
      "chat_bound" as bound_at
    from (
    select subject_id, locale, "chat" is null as "chat", "chat_bound",
      case when "chat" is not null then "chat" end as verdict
    from (
      select person.id as subject_id, person.locale,
        case when consent.subject_id is null then 'noConsent'
          when "chat_off".subject_id is not null then 'preferenceOff'
          when "chat_address".subject_id is null then 'noAddress'
          when "chat_address".blocked_at is not null or "chat_suppression".hash is not null then 'blocked' end as "chat",
        "chat_address".bound_at as "chat_bound"
      from (
        select id, locale from subject
        where true
      ) as person
      left join consent on consent.subject_id = person.id and consent.scope = $2
        and consent.withdrawn_at is null
      left join address as "chat_address" on "chat_address".subject_id = person.id
        and "chat_address".channel = 'chat'
      left join suppression as "chat_suppression" on "chat_suppression".channel = 'chat'
        and "chat_suppression".hash = "chat_address".hash
      left join preference as "chat_off" on "chat_off".subject_id = person.id
        and "chat_off".category_id = $3 and "chat_off".channel = 'chat' and not "chat_off".enabled
    ) as gates) as audience) as audience
    ),
    groups as (
      select channel, locale, verdict, count(*) as count from people group by channel, locale, verdict
    ),
    size (channel, per_batch) as (values ('chat', 500)),
    runs as (
      select channel, locale, count, per_batch,
        0 + sum((count - 1) / per_batch + 1) over (partition by channel order by locale)
          - ((count - 1) / per_batch + 1) as first_batch
      from groups join size using (channel) where verdict is null
    ),
    inserted as (
      insert into delivery (wave_id, subject_id, channel, batch, state, reason)
      select $4::uuid, subject_id, channel,
        case when verdict is null then first_batch + ordinal / per_batch end,
        case when verdict is null then 'pending' else 'skipped' end, verdict
      from people left join runs using (channel, locale)
    ),
    batched as (
      insert into batch (wave_id, channel, number, locale, size, repeats)
      select $5::uuid, channel, first_batch + start / per_batch, locale,
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
      (select json_build_array(json_build_object('channel', 'chat',
        'before', (select people from audience_sample where message_id = $6 and channel = 'chat'), 'sampled', (select cardinality(smallest) from audience_sample where message_id = $7 and channel = 'chat'),
        'now', count("chat_mark"), 'covered', count(*) filter (where "chat_mark" <= (select case when people > cardinality(smallest) then smallest[cardinality(smallest)]
          else 9223372036854775807 end from audience_sample where message_id = $8 and channel = 'chat')),
        'kept', count(*) filter (where "chat_mark" <= (select case when people > cardinality(smallest) then smallest[cardinality(smallest)]
          else 9223372036854775807 end from audience_sample where message_id = $9 and channel = 'chat') and ((select smallest || '{}' from audience_sample where message_id = $10 and channel = 'chat'))[width_bucket("chat_mark", (select smallest || '{}' from audience_sample where message_id = $11 and channel = 'chat'))] = "chat_mark"),
        'same', count("chat_mark") = (select people from audience_sample where message_id = $12 and channel = 'chat') and coalesce(sum("chat_mark"), 0) = (select mark_sum from audience_sample where message_id = $13 and channel = 'chat'))) from people) as compared;
