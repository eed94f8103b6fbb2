with doubt as materialized (
      select delivery.subject_id, delivery.batch, locale,
        row_number() over (partition by locale order by delivery.subject_id) - 1 as place
      from delivery
      join batch on batch.wave_id = $1 and batch.channel = 'email' and batch.number = delivery.batch
      where delivery.wave_id = $2 and delivery.channel = 'email' and delivery.state = 'unknown'
        and not batch.repeats
    ),
    runs as (
      select locale, count(*) as count,
        (select max(number) + 1 from batch where wave_id = $3 and channel = 'email')
          + sum((count(*) - 1) / $4::int + 1) over (order by locale)
          - ((count(*) - 1) / $5::int + 1) as first_batch
      from doubt group by locale
    ),
    moved as (
      update delivery set state = 'pending', reason = null, batch = first_batch + place / $6::int
      from doubt join runs using (locale)
      where wave_id = $7 and channel = 'email' and delivery.subject_id = doubt.subject_id
    ),
    remaining as (
      update batch set size = size - gone.count, unknown = unknown - gone.count
      from (select batch as number, count(*) as count from doubt group by batch) as gone
      where wave_id = $8 and channel = 'email' and batch.number = gone.number
    ),
    made as (
      insert into batch (wave_id, channel, number, locale, size, repeats)
      select $9::uuid, 'email', first_batch + start / $10::int, locale,
        least($11::int, count - start), true
      from runs cross join generate_series(0, count - 1, $12::int) as start
    )
    select count(*)::int as moved from doubt;
