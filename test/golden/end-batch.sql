with mine as materialized (select from batch where 
    batch.wave_id = $1 and batch.channel = $2 and batch.number = $3
    and batch.state = 'open' and batch.claimed_by = $4 for no key update),
    called as (
      update call set state = $5, unclear = false, tries = tries + 1, code = $6,
        request_id = $7
      from mine where 
    call.wave_id = $8 and call.channel = $9 and call.batch = $10 and call.call_number = $11
    ),
    outcome as (
      update delivery set state = $12, reason = $13
      from mine
      where wave_id = $14 and channel = $15 and batch = $16 and delivery.state = 'pending'
      returning 1
    )
    update batch
    set state = 'done', lease_until = null, "sent" = "sent" + (select count(*) from outcome),
      pushes = pushes + $17::integer
    from mine where 
    batch.wave_id = $18 and batch.channel = $19 and batch.number = $20
    and batch.state = 'open' and batch.claimed_by = $21;
