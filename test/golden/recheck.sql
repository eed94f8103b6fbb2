with person as materialized (
      select subject_id as id from delivery
      where wave_id = $1 and channel = $2 and batch = $3 and state = 'pending'
    )
    select person.id as "subjectId", "email_address".address, case when consent.subject_id is null then 'noConsent'
          when "email_off".subject_id is not null or topic_off.subject_id is not null then 'preferenceOff'
          when "email_address".subject_id is null then 'noAddress'
          when "email_address".blocked_at is not null or "email_suppression".hash is not null then 'blocked' end as reason
    from person
      left join consent on consent.subject_id = person.id and consent.scope = $4
        and consent.withdrawn_at is null
      left join topic_unsubscribe as topic_off on topic_off.subject_id = person.id
        and topic_off.topic_id = $5
      left join address as "email_address" on "email_address".subject_id = person.id
        and "email_address".channel = 'email'
      left join suppression as "email_suppression" on "email_suppression".channel = 'email'
        and "email_suppression".hash = "email_address".hash
      left join preference as "email_off" on "email_off".subject_id = person.id
        and "email_off".category_id = $6 and "email_off".channel = 'email' and not "email_off".enabled
    order by person.id;
