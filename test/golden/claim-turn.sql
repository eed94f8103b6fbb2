with used as (
      update webhook_event set reply_used_at = clock_timestamp() where id = $1
    )
    update turn set channel = $2, address = $3, content = $4, by = $5,
      retry_key = $6, reply_event_id = coalesce($7, reply_event_id), unclear = true,
      unit_pushes = coalesce($8, unit_pushes),
      pool_pushes = coalesce($9, pool_pushes), month = coalesce($10, month),
      first_try_at = coalesce(first_try_at, clock_timestamp()), tries = tries + 1, next_try_at = null,
      claimed_by = $11, lease_until = clock_timestamp() + make_interval(secs => $12::float8)
    where id = $13;
