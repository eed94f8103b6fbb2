with mine as materialized (select from batch where 
    batch.wave_id = $1 and batch.channel = $2 and batch.number = $3
    and batch.state = 'open' and batch.claimed_by = $4 for no key update),
    called as (
      update call
      set state = $5, unclear = false, tries = tries + 1,
        subject_ids = $6::uuid[],
        addresses = $7::text[]
      from mine where 
    call.wave_id = $8 and call.channel = $9 and call.batch = $10 and call.call_number = $11
    ),
    outcome as (
      update delivery set state = member.state, reason = member.reason
      from mine, unnest($12::uuid[], $13::text[],
        $14::text[]) as member (subject_id, state, reason)
      where wave_id = $15 and channel = $16 and batch = $17
        and delivery.subject_id = member.subject_id and delivery.state = 'pending'
    )
    update batch
    set state = $18, lease_until = case when $19 then null else lease_until end,
      sent = sent + $20::integer, failed = failed + $21::integer,
      unknown = unknown + $22::integer, pushes = pushes + $23::integer
    from mine where 
    batch.wave_id = $24 and batch.channel = $25 and batch.number = $26
    and batch.state = 'open' and batch.claimed_by = $27;
