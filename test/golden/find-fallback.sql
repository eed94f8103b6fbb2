select person.id as "subjectId", case when case when "email_off".subject_id is not null then 'preferenceOff'
          when "email_address".subject_id is null then 'noAddress'
          when "email_address".blocked_at is not null or "email_suppression".hash is not null then 'blocked' end is null then 'email' end as channel
    from unnest($1::uuid[]) as person (id)
      left join address as "email_address" on "email_address".subject_id = person.id
        and "email_address".channel = 'email'
      left join suppression as "email_suppression" on "email_suppression".channel = 'email'
        and "email_suppression".hash = "email_address".hash
      left join preference as "email_off" on "email_off".subject_id = person.id
        and "email_off".category_id = $2 and "email_off".channel = 'email' and not "email_off".enabled
    order by person.id;
