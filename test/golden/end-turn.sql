with ended as (
      update turn set state = $1, reason = $2, request_id = $3, unclear = false,
        closed_at = clock_timestamp(), lease_until = null, next_try_at = null
      where id = $4 and state = 'pending' and (claimed_by is null or claimed_by = $5)
      returning unit_id as "unitId", channel, month, unit_pushes as unit, pool_pushes as pool
    ),
    run as (
      update scenario_run set version = version + 1, changed_at = clock_timestamp(), problem = null
      from ended where id = $6
    )
    select * from ended;
