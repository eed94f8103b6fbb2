select count(*) filter (where verdict is null) as total,
      count(*) filter (where "chat") as "chat",
      count(*) filter (where verdict is null and locale = 'zh-TW') as "zh-TW",
      count(*) filter (where verdict is null and locale = 'en') as "en",
      count(*) filter (where verdict = 'noConsent') as "noConsent",
      count(*) filter (where verdict = 'noAddress') as "noAddress",
      count(*) filter (where verdict = 'preferenceOff') as "preferenceOff",
      count(*) filter (where verdict = 'blocked') as "blocked"
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
      left join consent on consent.subject_id = person.id and consent.scope = $1
        and consent.withdrawn_at is null
      left join address as "chat_address" on "chat_address".subject_id = person.id
        and "chat_address".channel = 'chat'
      left join suppression as "chat_suppression" on "chat_suppression".channel = 'chat'
        and "chat_suppression".hash = "chat_address".hash
      left join preference as "chat_off" on "chat_off".subject_id = person.id
        and "chat_off".category_id = $2 and "chat_off".channel = 'chat' and not "chat_off".enabled
    ) as gates) as audience;
