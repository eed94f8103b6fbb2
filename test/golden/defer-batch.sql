update batch set lease_until = null, not_before = clock_timestamp() + make_interval(secs => $1::float8), tries = tries + 1, failing_since = case when code = $2 and $3 <> $4 then clock_timestamp()
    else coalesce(failing_since, clock_timestamp()) end, code = $5 where 
    batch.wave_id = $6 and batch.channel = $7 and batch.number = $8
    and batch.state = 'open' and batch.claimed_by = $9;
