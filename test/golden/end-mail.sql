with mine as materialized (select from batch where 
    batch.wave_id = $1 and batch.channel = $2 and batch.number = $3
    and batch.state = 'open' and batch.claimed_by = $4 for no key update),
    called as (
      update call
      set state = $5, unclear = false, tries = tries + 1, code = $6,
        subject_ids = $7::uuid[],
        addresses = $8::text[]
      from mine where 
    call.wave_id = $9 and call.channel = $10 and call.batch = $11 and call.part = $12
    ),
    told as (
      update delivery set state = member.state, reason = member.reason
      from mine, unnest($13::uuid[], $14::text[],
        $15::text[]) as member (subject_id, state, reason)
      where wave_id = $16 and channel = $17 and batch = $18
        and delivery.subject_id = member.subject_id and delivery.state = 'pending'
    )
    update batch
    set state = $19, lease_until = null, not_before = null,
      sent = sent + $20::integer, failed = failed + $21::integer,
      unknown = unknown + $22::integer, pushes = pushes + $23::integer
    from mine where 
    batch.wave_id = $24 and batch.channel = $25 and batch.number = $26
    and batch.state = 'open' and batch.claimed_by = $27;
