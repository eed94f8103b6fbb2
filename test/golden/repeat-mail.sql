with member as materialized (
      select delivery.wave_id, delivery.channel, delivery.batch, delivery.subject_id, batch.locale, batch.state,
        row_number() over (partition by batch.locale order by delivery.subject_id) - 1 as ordinal
      from delivery
      cross join lateral (
        select locale, state, repeats from batch
        where batch.wave_id = $1 and batch.channel = 'email' and batch.number = delivery.batch offset 0
      ) as batch
      where delivery.wave_id = $2 and delivery.channel = 'email' and delivery.state = 'unknown'
        and not batch.repeats
    ),
    groups as (
      select 'email' as channel, locale, count(*) as count, $3::int as per_batch from member group by locale
    ),
    runs as (
      select channel, locale, count, per_batch,
        (select coalesce(max(number) + 1, 0) from batch where wave_id = $4 and channel = $5) + sum((count - 1) / per_batch + 1) over (partition by channel order by locale)
          - ((count - 1) / per_batch + 1) as first_batch
      from groups
    ),
    moved as (
      update delivery set state = 'pending', reason = null, batch = first_batch + ordinal / per_batch
      from member join runs using (locale)
      where delivery.wave_id = $6 and delivery.channel = member.channel and delivery.batch = member.batch
        and delivery.subject_id = member.subject_id
    ),
    remaining as (
      update batch set size = size - gone.count, "unknown" = "unknown" - gone.count
      from (select wave_id, channel, batch as number, count(*) as count from member group by 1, 2, 3) as gone
      where batch.wave_id = gone.wave_id and batch.channel = gone.channel and batch.number = gone.number
    ),
    made as (
      insert into batch (wave_id, channel, number, locale, size, repeats)
      select $7::uuid, channel, first_batch + start / per_batch, locale,
        least(per_batch, count - start), true
      from runs cross join generate_series(0, count - 1, per_batch) as start
    )
    select count(*)::int as moved, (count(*) filter (where state = 'counted'))::int as counted from member;
