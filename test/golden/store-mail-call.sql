with mine as materialized (select from batch where 
    batch.wave_id = $1 and batch.channel = $2 and batch.number = $3
    and batch.state = 'open' and batch.claimed_by = $4 for no key update),
    unsettled as (select from call where 
    call.wave_id = $5 and call.channel = $6 and call.batch = $7 and call.call_number = $8 and (state <> 'open' or unclear)),
    resting as materialized (
      select from channel_rest where channel = $9 and until > clock_timestamp() and not $10::boolean
    ),
    member as (
    with person as materialized (
      select subject_id as id from delivery
      where wave_id = $11 and channel = $12 and batch = $13 and state = 'pending'
    )
    select person.id as "subjectId", "email_address".address, case when "email_off".subject_id is not null then 'preferenceOff'
          when "email_address".subject_id is null then 'noAddress'
          when "email_address".blocked_at is not null or "email_suppression".hash is not null then 'blocked' end as reason
    from person
      left join address as "email_address" on "email_address".subject_id = person.id
        and "email_address".channel = 'email'
      left join suppression as "email_suppression" on "email_suppression".channel = 'email'
        and "email_suppression".hash = "email_address".hash
      left join preference as "email_off" on "email_off".subject_id = person.id
        and "email_off".category_id = $14 and "email_off".channel = 'email' and not "email_off".enabled
    order by person.id),
    members as materialized (
      select array_agg("subjectId") as ids, array_agg(address) as addresses, count(reason)::int as ineligible from member
    ),
    stored as (
      insert into call as before
        (wave_id, channel, batch, call_number, retry_key, subject_ids, addresses, unclear, first_try_at)
      select $15::uuid, $16, $17::integer, $18::smallint, $19::uuid,
        ids, addresses, true, clock_timestamp()
      from mine, members where ineligible = 0 and ids is not null and not exists (select from resting)
      on conflict (wave_id, channel, batch, call_number) do update
      set retry_key = excluded.retry_key, subject_ids = excluded.subject_ids, addresses = excluded.addresses,
        unclear = true, first_try_at = excluded.first_try_at
      where before.state = 'open' and not before.unclear
      returning 1
    )
    select exists (select from mine) as "claimHeld", ineligible,
      exists (select from unsettled) or exists (select from resting) as "mustWait",
      case when exists (select from stored) then to_json(addresses) end as addresses, case when exists (select from stored) then to_json(ids) end as "subjectIds"
    from members;
