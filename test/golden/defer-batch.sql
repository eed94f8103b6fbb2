update batch set lease_until = null, not_before = clock_timestamp() + make_interval(secs => $1::float8), tries = tries + 1, failing_since = coalesce(failing_since, clock_timestamp()), code = $2 where 
    batch.wave_id = $3 and batch.channel = $4 and batch.number = $5
    and batch.state = 'open' and batch.claimed_by = $6;
