with marked as materialized (
    select subject_id, locale, verdict, "email", "chat", "email_verdict", "chat_verdict",
      case when "email" then uuid_hash_extended("subject_id", timestamptz_hash_extended("email_bound", $1::bigint)) end as "email_mark",
      case when "chat" then uuid_hash_extended("subject_id", timestamptz_hash_extended("chat_bound", $2::bigint)) end as "chat_mark"
    from (
    select subject_id, locale, "email" is null as "email", "chat" is null and "email" is not null as "chat", "email_bound", "chat_bound", "email" as "email_verdict", "chat" as "chat_verdict",
      case when "email" is not null and "chat" is not null then "email" end as verdict
    from (
      select person.id as subject_id, person.locale,
        case when consent.subject_id is null then 'noConsent'
          when "email_off".subject_id is not null or topic_off.subject_id is not null then 'preferenceOff'
          when "email_address".subject_id is null then 'noAddress'
          when "email_address".blocked_at is not null or "email_suppression".hash is not null then 'blocked' end as "email",
        case when consent.subject_id is null then 'noConsent'
          when "chat_off".subject_id is not null or topic_off.subject_id is not null then 'preferenceOff'
          when "chat_address".subject_id is null then 'noAddress'
          when "chat_address".blocked_at is not null or "chat_suppression".hash is not null then 'blocked' end as "chat",
        "email_address".bound_at as "email_bound",
        "chat_address".bound_at as "chat_bound"
      from (
        select id, locale from subject
        where subject.roles && $3::text[]
          and subject.stage = any($4::text[])
          and subject.org_units && $5::text[]
          and subject.class_ids && $6::text[]
          and subject.tags && $7::text[]
          and exists (
          select from (
          select member.subject_id from subject_group
          join group_member as member on member.group_id = subject_group.id
          where subject_group.id = any($8::uuid[]) and subject_group.unit_id = $9
          union select subject.id from subject where subject.roles && $10::text[]
          and subject.stage = any($11::text[])
          union select subject.id from subject where exists (
          select from (
          select member.subject_id from subject_group
          join group_member as member on member.group_id = subject_group.id
          where subject_group.id = any($12::uuid[]) and subject_group.unit_id = $13) as list
          where list.subject_id = subject.id
        )
          and not exists (
          select from (
          select answer.subject_id
          from unnest($14::uuid[], $15::text[]) as asked (message_id, option_id)
          join message on message.id = asked.message_id and message.unit_id = $16
          join message_answer as answer on answer.message_id = message.id
          and (asked.option_id is null or answer.option_id = asked.option_id)) as list
          where list.subject_id = subject.id
          and subject.tags && $17::text[]
        )) as list
          where list.subject_id = subject.id
        )
          and exists (
          select from (
          select delivery.subject_id from message
          join wave on wave.message_id = message.id
          join delivery on delivery.wave_id = wave.id
          where message.id = any($18::uuid[]) and message.unit_id = $19
          and delivery.state in ('sent', 'unknown')
          union
          select answer.subject_id
          from unnest($20::uuid[], $21::text[]) as asked (message_id, option_id)
          join message on message.id = asked.message_id and message.unit_id = $22
          join message_answer as answer on answer.message_id = message.id
          and (asked.option_id is null or answer.option_id = asked.option_id)) as list
          where list.subject_id = subject.id
        )
          and not exists (
          select from ((
          select member.subject_id from subject_group
          join group_member as member on member.group_id = subject_group.id
          where subject_group.id = any($23::uuid[]) and subject_group.unit_id = $24) intersect (
          select delivery.subject_id from message
          join wave on wave.message_id = message.id
          join delivery on delivery.wave_id = wave.id
          where message.id = any($25::uuid[]) and message.unit_id = $26
          and delivery.state in ('sent', 'unknown'))) as list
          where list.subject_id = subject.id
          and subject.tags && $27::text[]
        )
      ) as person
      left join consent on consent.subject_id = person.id and consent.scope = $28
        and consent.withdrawn_at is null
      left join topic_unsubscribe as topic_off on topic_off.subject_id = person.id
        and topic_off.topic_id = $29
      left join address as "email_address" on "email_address".subject_id = person.id
        and "email_address".channel = 'email'
      left join suppression as "email_suppression" on "email_suppression".channel = 'email'
        and "email_suppression".hash = "email_address".hash
      left join preference as "email_off" on "email_off".subject_id = person.id
        and "email_off".category_id = $30 and "email_off".channel = 'email' and not "email_off".enabled
      left join address as "chat_address" on "chat_address".subject_id = person.id
        and "chat_address".channel = 'chat'
      left join suppression as "chat_suppression" on "chat_suppression".channel = 'chat'
        and "chat_suppression".hash = "chat_address".hash
      left join preference as "chat_off" on "chat_off".subject_id = person.id
        and "chat_off".category_id = $31 and "chat_off".channel = 'chat' and not "chat_off".enabled
    ) as gates) as audience
    ),
    counted as (
      select count(*) filter (where verdict is null) as total,
      count(*) filter (where "email") as "email",
      count(*) filter (where "chat") as "chat",
      count(*) filter (where verdict is null and locale = 'zh-TW') as "zh-TW",
      count(*) filter (where verdict is null and locale = 'en') as "en",
      count(*) filter (where verdict = 'noConsent') as "noConsent",
      count(*) filter (where verdict = 'noAddress') as "noAddress",
      count(*) filter (where verdict = 'preferenceOff') as "preferenceOff",
      count(*) filter (where verdict = 'blocked') as "blocked",
      count(*) filter (where "email_verdict" = 'noConsent') as "email_noConsent",
      count(*) filter (where "email_verdict" = 'noAddress') as "email_noAddress",
      count(*) filter (where "email_verdict" = 'preferenceOff') as "email_preferenceOff",
      count(*) filter (where "email_verdict" = 'blocked') as "email_blocked",
      count(*) filter (where "chat_verdict" = 'noConsent') as "chat_noConsent",
      count(*) filter (where "chat_verdict" = 'noAddress') as "chat_noAddress",
      count(*) filter (where "chat_verdict" = 'preferenceOff') as "chat_preferenceOff",
      count(*) filter (where "chat_verdict" = 'blocked') as "chat_blocked",
        coalesce(sum("email_mark"), 0) as "email_sum", coalesce(sum("chat_mark"), 0) as "chat_sum"
      from marked
    ),
    sampled as (
      insert into audience_sample (message_id, channel, seed, people, mark_sum, smallest)
      
      select $32::uuid, 'email', $33::bigint, "email"::integer, "email_sum",
        array(select "email_mark" from marked where "email_mark" is not null
          order by "email_mark" limit 1024)
      from counted union all 
      select $34::uuid, 'chat', $35::bigint, "chat"::integer, "chat_sum",
        array(select "chat_mark" from marked where "chat_mark" is not null
          order by "chat_mark" limit 1024)
      from counted
      on conflict (message_id, channel) do update set seed = excluded.seed, people = excluded.people,
        mark_sum = excluded.mark_sum, smallest = excluded.smallest
    )
    select "total", "email", "chat", "zh-TW", "en", "noConsent", "noAddress", "preferenceOff", "blocked", "email_noConsent", "email_noAddress", "email_preferenceOff", "email_blocked", "chat_noConsent", "chat_noAddress", "chat_preferenceOff", "chat_blocked" from counted;

select count(*) filter (where verdict is null) as total,
      count(*) filter (where "email") as "email",
      count(*) filter (where "chat") as "chat",
      count(*) filter (where verdict is null and locale = 'zh-TW') as "zh-TW",
      count(*) filter (where verdict is null and locale = 'en') as "en",
      count(*) filter (where verdict = 'noConsent') as "noConsent",
      count(*) filter (where verdict = 'noAddress') as "noAddress",
      count(*) filter (where verdict = 'preferenceOff') as "preferenceOff",
      count(*) filter (where verdict = 'blocked') as "blocked",
      count(*) filter (where "email_verdict" = 'noConsent') as "email_noConsent",
      count(*) filter (where "email_verdict" = 'noAddress') as "email_noAddress",
      count(*) filter (where "email_verdict" = 'preferenceOff') as "email_preferenceOff",
      count(*) filter (where "email_verdict" = 'blocked') as "email_blocked",
      count(*) filter (where "chat_verdict" = 'noConsent') as "chat_noConsent",
      count(*) filter (where "chat_verdict" = 'noAddress') as "chat_noAddress",
      count(*) filter (where "chat_verdict" = 'preferenceOff') as "chat_preferenceOff",
      count(*) filter (where "chat_verdict" = 'blocked') as "chat_blocked",
      json_build_array(json_build_object('channel', 'email',
        'before', (select people from audience_sample where message_id = $1 and channel = 'email'), 'sampled', (select cardinality(smallest) from audience_sample where message_id = $2 and channel = 'email'),
        'now', count("email_mark"), 'covered', count(*) filter (where "email_mark" <= (select case when people > cardinality(smallest) then smallest[cardinality(smallest)]
          else 9223372036854775807 end from audience_sample where message_id = $3 and channel = 'email')),
        'kept', count(*) filter (where "email_mark" <= (select case when people > cardinality(smallest) then smallest[cardinality(smallest)]
          else 9223372036854775807 end from audience_sample where message_id = $4 and channel = 'email') and ((select smallest || '{}' from audience_sample where message_id = $5 and channel = 'email'))[width_bucket("email_mark", (select smallest || '{}' from audience_sample where message_id = $6 and channel = 'email'))] = "email_mark"),
        'same', count("email_mark") = (select people from audience_sample where message_id = $7 and channel = 'email') and coalesce(sum("email_mark"), 0) = (select mark_sum from audience_sample where message_id = $8 and channel = 'email')),
      json_build_object('channel', 'chat',
        'before', (select people from audience_sample where message_id = $9 and channel = 'chat'), 'sampled', (select cardinality(smallest) from audience_sample where message_id = $10 and channel = 'chat'),
        'now', count("chat_mark"), 'covered', count(*) filter (where "chat_mark" <= (select case when people > cardinality(smallest) then smallest[cardinality(smallest)]
          else 9223372036854775807 end from audience_sample where message_id = $11 and channel = 'chat')),
        'kept', count(*) filter (where "chat_mark" <= (select case when people > cardinality(smallest) then smallest[cardinality(smallest)]
          else 9223372036854775807 end from audience_sample where message_id = $12 and channel = 'chat') and ((select smallest || '{}' from audience_sample where message_id = $13 and channel = 'chat'))[width_bucket("chat_mark", (select smallest || '{}' from audience_sample where message_id = $14 and channel = 'chat'))] = "chat_mark"),
        'same', count("chat_mark") = (select people from audience_sample where message_id = $15 and channel = 'chat') and coalesce(sum("chat_mark"), 0) = (select mark_sum from audience_sample where message_id = $16 and channel = 'chat'))) as comparisons
    from (
    select subject_id, locale, verdict, "email", "chat", "email_verdict", "chat_verdict",
      case when "email" then uuid_hash_extended("subject_id", timestamptz_hash_extended("email_bound", (select seed from audience_sample where message_id = $17 and channel = 'email'))) end as "email_mark",
      case when "chat" then uuid_hash_extended("subject_id", timestamptz_hash_extended("chat_bound", (select seed from audience_sample where message_id = $18 and channel = 'chat'))) end as "chat_mark"
    from (
    select subject_id, locale, "email" is null as "email", "chat" is null and "email" is not null as "chat", "email_bound", "chat_bound", "email" as "email_verdict", "chat" as "chat_verdict",
      case when "email" is not null and "chat" is not null then "email" end as verdict
    from (
      select person.id as subject_id, person.locale,
        case when consent.subject_id is null then 'noConsent'
          when "email_off".subject_id is not null or topic_off.subject_id is not null then 'preferenceOff'
          when "email_address".subject_id is null then 'noAddress'
          when "email_address".blocked_at is not null or "email_suppression".hash is not null then 'blocked' end as "email",
        case when consent.subject_id is null then 'noConsent'
          when "chat_off".subject_id is not null or topic_off.subject_id is not null then 'preferenceOff'
          when "chat_address".subject_id is null then 'noAddress'
          when "chat_address".blocked_at is not null or "chat_suppression".hash is not null then 'blocked' end as "chat",
        "email_address".bound_at as "email_bound",
        "chat_address".bound_at as "chat_bound"
      from (
        select id, locale from subject
        where subject.roles && $19::text[]
          and subject.stage = any($20::text[])
          and subject.org_units && $21::text[]
          and subject.class_ids && $22::text[]
          and subject.tags && $23::text[]
          and exists (
          select from (
          select member.subject_id from subject_group
          join group_member as member on member.group_id = subject_group.id
          where subject_group.id = any($24::uuid[]) and subject_group.unit_id = $25
          union select subject.id from subject where subject.roles && $26::text[]
          and subject.stage = any($27::text[])
          union select subject.id from subject where exists (
          select from (
          select member.subject_id from subject_group
          join group_member as member on member.group_id = subject_group.id
          where subject_group.id = any($28::uuid[]) and subject_group.unit_id = $29) as list
          where list.subject_id = subject.id
        )
          and not exists (
          select from (
          select answer.subject_id
          from unnest($30::uuid[], $31::text[]) as asked (message_id, option_id)
          join message on message.id = asked.message_id and message.unit_id = $32
          join message_answer as answer on answer.message_id = message.id
          and (asked.option_id is null or answer.option_id = asked.option_id)) as list
          where list.subject_id = subject.id
          and subject.tags && $33::text[]
        )) as list
          where list.subject_id = subject.id
        )
          and exists (
          select from (
          select delivery.subject_id from message
          join wave on wave.message_id = message.id
          join delivery on delivery.wave_id = wave.id
          where message.id = any($34::uuid[]) and message.unit_id = $35
          and delivery.state in ('sent', 'unknown')
          union
          select answer.subject_id
          from unnest($36::uuid[], $37::text[]) as asked (message_id, option_id)
          join message on message.id = asked.message_id and message.unit_id = $38
          join message_answer as answer on answer.message_id = message.id
          and (asked.option_id is null or answer.option_id = asked.option_id)) as list
          where list.subject_id = subject.id
        )
          and not exists (
          select from ((
          select member.subject_id from subject_group
          join group_member as member on member.group_id = subject_group.id
          where subject_group.id = any($39::uuid[]) and subject_group.unit_id = $40) intersect (
          select delivery.subject_id from message
          join wave on wave.message_id = message.id
          join delivery on delivery.wave_id = wave.id
          where message.id = any($41::uuid[]) and message.unit_id = $42
          and delivery.state in ('sent', 'unknown'))) as list
          where list.subject_id = subject.id
          and subject.tags && $43::text[]
        )
      ) as person
      left join consent on consent.subject_id = person.id and consent.scope = $44
        and consent.withdrawn_at is null
      left join topic_unsubscribe as topic_off on topic_off.subject_id = person.id
        and topic_off.topic_id = $45
      left join address as "email_address" on "email_address".subject_id = person.id
        and "email_address".channel = 'email'
      left join suppression as "email_suppression" on "email_suppression".channel = 'email'
        and "email_suppression".hash = "email_address".hash
      left join preference as "email_off" on "email_off".subject_id = person.id
        and "email_off".category_id = $46 and "email_off".channel = 'email' and not "email_off".enabled
      left join address as "chat_address" on "chat_address".subject_id = person.id
        and "chat_address".channel = 'chat'
      left join suppression as "chat_suppression" on "chat_suppression".channel = 'chat'
        and "chat_suppression".hash = "chat_address".hash
      left join preference as "chat_off" on "chat_off".subject_id = person.id
        and "chat_off".category_id = $47 and "chat_off".channel = 'chat' and not "chat_off".enabled
    ) as gates) as audience) as marked;
