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
    select person.id as "subjectId", "chat_address".address, case when "chat_off".subject_id is not null then 'preferenceOff'
          when "chat_address".subject_id is null then 'noAddress'
          when "chat_address".blocked_at is not null or "chat_suppression".hash is not null then 'blocked' end as reason
    from person
      left join address as "chat_address" on "chat_address".subject_id = person.id
        and "chat_address".channel = 'chat'
      left join suppression as "chat_suppression" on "chat_suppression".channel = 'chat'
        and "chat_suppression".hash = "chat_address".hash
      left join preference as "chat_off" on "chat_off".subject_id = person.id
        and "chat_off".category_id = $14 and "chat_off".channel = 'chat' and not "chat_off".enabled
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
      case when exists (select from stored) then to_json(addresses) end as addresses
    from members;
