select count(*) filter (where verdict is null) as total,
      count(*) filter (where "chat") as "chat",
      count(*) filter (where "email") as "email",
      count(*) filter (where verdict is null and locale = 'zh-TW') as "zh-TW",
      count(*) filter (where verdict is null and locale = 'en') as "en",
      count(*) filter (where verdict = 'noConsent') as "noConsent",
      count(*) filter (where verdict = 'noAddress') as "noAddress",
      count(*) filter (where verdict = 'preferenceOff') as "preferenceOff",
      count(*) filter (where verdict = 'blocked') as "blocked",
      count(*) filter (where "chat_verdict" = 'noConsent') as "chat_noConsent",
      count(*) filter (where "chat_verdict" = 'noAddress') as "chat_noAddress",
      count(*) filter (where "chat_verdict" = 'preferenceOff') as "chat_preferenceOff",
      count(*) filter (where "chat_verdict" = 'blocked') as "chat_blocked",
      count(*) filter (where "email_verdict" = 'noConsent') as "email_noConsent",
      count(*) filter (where "email_verdict" = 'noAddress') as "email_noAddress",
      count(*) filter (where "email_verdict" = 'preferenceOff') as "email_preferenceOff",
      count(*) filter (where "email_verdict" = 'blocked') as "email_blocked"
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
    ) as gates) as individuals;
