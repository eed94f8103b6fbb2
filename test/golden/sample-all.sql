with marked as materialized (
    select subject_id, locale, verdict, "chat",
      case when "chat" then uuid_hash_extended("subject_id", timestamptz_hash_extended("chat_bound", $1::bigint)) end as "chat_mark"
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
    ) as gates) as audience
    ),
    counted as (
      select count(*) filter (where verdict is null) as total,
      count(*) filter (where "chat") as "chat",
      count(*) filter (where verdict is null and locale = 'zh-TW') as "zh-TW",
      count(*) filter (where verdict is null and locale = 'en') as "en",
      count(*) filter (where verdict = 'noConsent') as "noConsent",
      count(*) filter (where verdict = 'noAddress') as "noAddress",
      count(*) filter (where verdict = 'preferenceOff') as "preferenceOff",
      count(*) filter (where verdict = 'blocked') as "blocked",
        coalesce(sum("chat_mark"), 0) as "chat_sum"
      from marked
    ),
    sampled as (
      insert into audience_sample (message_id, channel, seed, people, mark_sum, smallest)
      
      select $4::uuid, 'chat', $5::bigint, "chat"::integer, "chat_sum",
        array(select "chat_mark" from marked where "chat_mark" is not null
          order by "chat_mark" limit 1024)
      from counted
      on conflict (message_id, channel) do update set seed = excluded.seed, people = excluded.people,
        mark_sum = excluded.mark_sum, smallest = excluded.smallest
    )
    select "total", "chat", "zh-TW", "en", "noConsent", "noAddress", "preferenceOff", "blocked" from counted;

select count(*) filter (where verdict is null) as total,
      count(*) filter (where "chat") as "chat",
      count(*) filter (where verdict is null and locale = 'zh-TW') as "zh-TW",
      count(*) filter (where verdict is null and locale = 'en') as "en",
      count(*) filter (where verdict = 'noConsent') as "noConsent",
      count(*) filter (where verdict = 'noAddress') as "noAddress",
      count(*) filter (where verdict = 'preferenceOff') as "preferenceOff",
      count(*) filter (where verdict = 'blocked') as "blocked",
      json_build_array(json_build_object('channel', 'chat',
        'before', (select people from audience_sample where message_id = $1 and channel = 'chat'), 'sampled', (select cardinality(smallest) from audience_sample where message_id = $2 and channel = 'chat'),
        'now', count("chat_mark"), 'covered', count(*) filter (where "chat_mark" <= (select case when people > cardinality(smallest) then smallest[cardinality(smallest)]
          else 9223372036854775807 end from audience_sample where message_id = $3 and channel = 'chat')),
        'kept', count(*) filter (where "chat_mark" <= (select case when people > cardinality(smallest) then smallest[cardinality(smallest)]
          else 9223372036854775807 end from audience_sample where message_id = $4 and channel = 'chat') and ((select smallest || '{}' from audience_sample where message_id = $5 and channel = 'chat'))[width_bucket("chat_mark", (select smallest || '{}' from audience_sample where message_id = $6 and channel = 'chat'))] = "chat_mark"),
        'same', count("chat_mark") = (select people from audience_sample where message_id = $7 and channel = 'chat') and coalesce(sum("chat_mark"), 0) = (select mark_sum from audience_sample where message_id = $8 and channel = 'chat'))) as comparisons
    from (
    select subject_id, locale, verdict, "chat",
      case when "chat" then uuid_hash_extended("subject_id", timestamptz_hash_extended("chat_bound", (select seed from audience_sample where message_id = $9 and channel = 'chat'))) end as "chat_mark"
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
      left join consent on consent.subject_id = person.id and consent.scope = $10
        and consent.withdrawn_at is null
      left join address as "chat_address" on "chat_address".subject_id = person.id
        and "chat_address".channel = 'chat'
      left join suppression as "chat_suppression" on "chat_suppression".channel = 'chat'
        and "chat_suppression".hash = "chat_address".hash
      left join preference as "chat_off" on "chat_off".subject_id = person.id
        and "chat_off".category_id = $11 and "chat_off".channel = 'chat' and not "chat_off".enabled
    ) as gates) as audience) as marked;
