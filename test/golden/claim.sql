with held as materialized (
      select wave.id, wave.month, wave.parked, wave.probe_at, message.expires_at
      from wave left join message on message.id = wave.message_id
      where wave.id = $1 and wave.state = 'sending' and not wave.skip_remaining and not wave.unreserved
        and set_config('synchronous_commit', 'off', true) is not null
      for no key update of wave
    ),
    sending as materialized (
      select held.*, clock_timestamp() as now from held
      where (expires_at is null or expires_at > clock_timestamp())
        and (parked is null or (parked <> 'quota' and coalesce(probe_at <= clock_timestamp(), true)))
        and date_trunc('month', clock_timestamp() at time zone $2) <= month
        and not exists (
          select from channel_rest where channel = $3 and least(channel_rest.until, channel_rest.probe_at) > clock_timestamp()
        )
    ),
    free as materialized (
      select batch.number, batch.tries, batch.not_before from batch, sending
      where batch.wave_id = $4 and batch.channel = $5 and batch.state = 'open'
        and (not_before is null or not_before <= sending.now)
        and (lease_until is null or lease_until <= sending.now
          or (run_id = $6 and activity_id = $7 and attempt < $8))
      order by batch.tries, batch.number limit 1
      for update of batch skip locked
    ),
    marked as (
      update wave
      set claimed = true,
        probe_at = case when probe_at is not null then clock_timestamp() + '60000 ms'::interval end
      from free
      where id = $9 and (not claimed or probe_at is not null)
    ),
    probed as (
      update channel_rest set probe_at = clock_timestamp() + '10000 ms'::interval
      from free where channel = $10 and until > clock_timestamp()
      returning 1
    )
    update batch
    set claimed_by = $11, run_id = $12, activity_id = $13, attempt = $14,
      lease_until = sending.now + '20000 ms'::interval
    from sending
    where batch.wave_id = $15 and batch.channel = $16 and batch.number = (select number from free)
    returning batch.number, batch.locale, batch.repeats, batch.tries,
      case when batch.code = $17 then 0
        else coalesce(extract(epoch from sending.now - batch.failing_since) * 1000, 0)::float8 end as "failingMs",
      sending.probe_at is not null as probing, exists (select from probed) as "probesRest",
      false as "probesServer", false as believes, false as "acceptsAll", false as unparks,
      not exists (
        select from batch as other where other.wave_id = $18 and other.channel = $19
          and other.state = 'open' and other.number <> batch.number
      ) as last,
      exists (
        select from call
        where call.wave_id = $20 and call.channel = $21 and call.batch = batch.number
      ) as begun,
      (extract(epoch from sending.expires_at - sending.now) * 1000)::float8 as "expiresInMs";
