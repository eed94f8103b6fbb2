with people as materialized (
      select subject_id, locale, channel, verdict,
        row_number() over (partition by verdict is null, channel, locale order by subject_id) - 1 as ordinal
      from (
    select person.id as subject_id, locale, person.channel, case person.channel when 'email' then case when consent.subject_id is null then 'noConsent'
          when do_not_remind.subject_id is not null then 'doNotRemind'
          when exists (select from message_answer where message_answer.message_id = $1
          and message_answer.subject_id = person.id) then 'answered'
          when "email_off".subject_id is not null or topic_off.subject_id is not null then 'preferenceOff'
          when "email_address".subject_id is null then 'noAddress'
          when "email_address".blocked_at is not null or "email_suppression".hash is not null then 'blocked' end when 'chat' then case when consent.subject_id is null then 'noConsent'
          when do_not_remind.subject_id is not null then 'doNotRemind'
          when exists (select from message_answer where message_answer.message_id = $2
          and message_answer.subject_id = person.id) then 'answered'
          when "chat_off".subject_id is not null or topic_off.subject_id is not null then 'preferenceOff'
          when "chat_address".subject_id is null then 'noAddress'
          when "chat_address".blocked_at is not null or "chat_suppression".hash is not null then 'blocked' end end as verdict
    from (
      select subject.id, locale, channel from delivery join subject on subject.id = subject_id
      where wave_id = $3 and state in ('sent', 'unknown')
    ) as person
    left join consent on consent.subject_id = person.id and consent.scope = $4
        and consent.withdrawn_at is null
      left join topic_unsubscribe as topic_off on topic_off.subject_id = person.id
        and topic_off.topic_id = $5
      left join do_not_remind on do_not_remind.subject_id = person.id
        and do_not_remind.message_id = $6
      left join address as "email_address" on "email_address".subject_id = person.id
        and "email_address".channel = 'email'
      left join suppression as "email_suppression" on "email_suppression".channel = 'email'
        and "email_suppression".hash = "email_address".hash
      left join preference as "email_off" on "email_off".subject_id = person.id
        and "email_off".category_id = $7 and "email_off".channel = 'email' and not "email_off".enabled
      left join address as "chat_address" on "chat_address".subject_id = person.id
        and "chat_address".channel = 'chat'
      left join suppression as "chat_suppression" on "chat_suppression".channel = 'chat'
        and "chat_suppression".hash = "chat_address".hash
      left join preference as "chat_off" on "chat_off".subject_id = person.id
        and "chat_off".category_id = $8 and "chat_off".channel = 'chat' and not "chat_off".enabled) as audience
    ),
    groups as (
      select channel, locale, verdict, count(*) as count from people group by channel, locale, verdict
    ),
    size (channel, per_batch) as (values ('email', 64), ('chat', 500)),
    runs as (
      select channel, locale, count, per_batch,
        0 + sum((count - 1) / per_batch + 1) over (partition by channel order by locale)
          - ((count - 1) / per_batch + 1) as first_batch
      from groups join size using (channel) where verdict is null
    ),
    inserted as (
      insert into delivery (wave_id, subject_id, channel, batch, state, reason)
      select $9::uuid, subject_id, channel,
        case when verdict is null then first_batch + ordinal / per_batch end,
        case when verdict is null then 'pending' else 'skipped' end, verdict
      from people left join runs using (channel, locale)
    ),
    batched as (
      insert into batch (wave_id, channel, number, locale, size, repeats)
      select $10::uuid, channel, first_batch + start / per_batch, locale,
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
