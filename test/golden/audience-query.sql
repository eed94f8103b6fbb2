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
      count(*) filter (where "chat_verdict" = 'blocked') as "chat_blocked"
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
        where subject.roles && $1::text[]
          and subject.stage = any($2::text[])
          and subject.org_units && $3::text[]
          and subject.class_ids && $4::text[]
          and subject.tags && $5::text[]
          and exists (
          select from (
          select member.subject_id from subject_group
          join group_member as member on member.group_id = subject_group.id
          where subject_group.id = any($6::uuid[]) and subject_group.unit_id = $7
          union select subject.id from subject where subject.roles && $8::text[]
          and subject.stage = any($9::text[])
          union select subject.id from subject where exists (
          select from (
          select member.subject_id from subject_group
          join group_member as member on member.group_id = subject_group.id
          where subject_group.id = any($10::uuid[]) and subject_group.unit_id = $11) as list
          where list.subject_id = subject.id
        )
          and not exists (
          select from (
          select answer.subject_id
          from unnest($12::uuid[], $13::text[]) as asked (message_id, option_id)
          join message on message.id = asked.message_id and message.unit_id = $14
          join message_answer as answer on answer.message_id = message.id
          and (asked.option_id is null or answer.option_id = asked.option_id)) as list
          where list.subject_id = subject.id
          and subject.tags && $15::text[]
        )) as list
          where list.subject_id = subject.id
        )
          and exists (
          select from (
          select delivery.subject_id from message
          join wave on wave.message_id = message.id
          join delivery on delivery.wave_id = wave.id
          where message.id = any($16::uuid[]) and message.unit_id = $17
          and delivery.state in ('sent', 'unknown')
          union
          select answer.subject_id
          from unnest($18::uuid[], $19::text[]) as asked (message_id, option_id)
          join message on message.id = asked.message_id and message.unit_id = $20
          join message_answer as answer on answer.message_id = message.id
          and (asked.option_id is null or answer.option_id = asked.option_id)) as list
          where list.subject_id = subject.id
        )
          and not exists (
          select from ((
          select member.subject_id from subject_group
          join group_member as member on member.group_id = subject_group.id
          where subject_group.id = any($21::uuid[]) and subject_group.unit_id = $22) intersect (
          select delivery.subject_id from message
          join wave on wave.message_id = message.id
          join delivery on delivery.wave_id = wave.id
          where message.id = any($23::uuid[]) and message.unit_id = $24
          and delivery.state in ('sent', 'unknown'))) as list
          where list.subject_id = subject.id
          and subject.tags && $25::text[]
        )
      ) as person
      left join consent on consent.subject_id = person.id and consent.scope = $26
        and consent.withdrawn_at is null
      left join topic_unsubscribe as topic_off on topic_off.subject_id = person.id
        and topic_off.topic_id = $27
      left join address as "email_address" on "email_address".subject_id = person.id
        and "email_address".channel = 'email'
      left join suppression as "email_suppression" on "email_suppression".channel = 'email'
        and "email_suppression".hash = "email_address".hash
      left join preference as "email_off" on "email_off".subject_id = person.id
        and "email_off".category_id = $28 and "email_off".channel = 'email' and not "email_off".enabled
      left join address as "chat_address" on "chat_address".subject_id = person.id
        and "chat_address".channel = 'chat'
      left join suppression as "chat_suppression" on "chat_suppression".channel = 'chat'
        and "chat_suppression".hash = "chat_address".hash
      left join preference as "chat_off" on "chat_off".subject_id = person.id
        and "chat_off".category_id = $29 and "chat_off".channel = 'chat' and not "chat_off".enabled
    ) as gates) as audience;
