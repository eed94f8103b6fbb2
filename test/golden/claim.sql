with held as materialized (
      select wave.id, wave.month, wave.parked, wave.probe_at, message.expires_at
      from wave left join message on message.id = wave.message_id
      where wave.id = $1 and wave.state = 'sending' and not wave.skip_rest
        and set_config('synchronous_commit', 'off', true) is not null
      for no key update of wave
    ),
    going as materialized (
      select held.*, clock_timestamp() as now from held
      where (expires_at is null or expires_at > clock_timestamp())
        and (parked is null or (parked <> 'quota' and probe_at <= clock_timestamp()))
        and date_trunc('month', clock_timestamp() at time zone $2) <= month
        and not exists (
          select from channel_rest where channel = $3 and until > clock_timestamp()
        )
    ),
    free as materialized (
      select batch.number from batch, going
      where batch.wave_id = $4 and batch.channel = $5 and batch.state = 'open'
        and (not_before is null or not_before <= going.now)
        and (lease_until is null or lease_until <= going.now
          or (run_id = $6 and activity_id = $7 and attempt < $8))
      order by batch.number limit 1
      for update of batch skip locked
    ),
    marked as (
      update wave
      set claimed = true, probe_at = case when parked is null then null else clock_timestamp() + '60000 ms'::interval end
      from free
      where id = $9 and (not claimed or parked is not null)
    )
    update batch
    set claimed_by = $10, run_id = $11, activity_id = $12, attempt = $13,
      lease_until = going.now + '20000 ms'::interval
    from free, going
    where batch.wave_id = $14 and batch.channel = $15 and batch.number = free.number
    returning batch.number, batch.locale, batch.repeats, going.parked is not null as probing,
      not exists (
        select from batch as other where other.wave_id = $16 and other.channel = $17
          and other.state = 'open' and other.number <> free.number
      ) as last,
      exists (
        select from call where wave_id = $18 and channel = $19 and batch = free.number
      ) as begun,
      (extract(epoch from going.expires_at - going.now) * 1000)::float8 as "expiresInMs";
