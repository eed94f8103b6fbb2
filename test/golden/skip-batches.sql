select channel, number, repeats from batch
    where wave_id = $1 and state = 'open'
      and (lease_until is null or lease_until <= clock_timestamp())
    order by channel, number limit $2
    for update skip locked;

with free as materialized (
      select * from unnest($1::text[], $2::integer[],
        $3::boolean[]) as locked (channel, number, repeats)
    ),
    doubtful as (
      update call set state = 'unknown', subject_ids = case when repeats then '{}' else subject_ids end,
        addresses = case when repeats then '{}' else addresses end
      from free
      where wave_id = $4 and call.channel = free.channel and call.batch = free.number
        and call.batch = any($5::integer[]) and call.state = 'open' and call.unclear
      returning call.channel, call.batch as number, cardinality(subject_ids) as members
    ),
    closed as (
      update delivery
      set state = case when doubtful.number is null and not repeats then 'skipped' else 'unknown' end, reason = $6
      from free left join doubtful using (channel, number)
      where wave_id = $7 and delivery.channel = free.channel and delivery.batch = free.number
        and delivery.batch = any($8::integer[]) and delivery.state = 'pending'
      returning delivery.channel, delivery.batch as number, delivery.state
    ),
    counted as (
      select channel, number, count(closed.number)::int as members,
        (count(*) filter (where closed.state = 'unknown'))::int as unknown,
        (count(*) filter (where closed.state = 'skipped'))::int as skipped
      from free left join closed using (channel, number) group by channel, number
    ),
    ended as (
      update batch
      set state = 'done', claimed_by = null, lease_until = null, unknown = batch.unknown + counted.unknown,
        pushes = pushes + coalesce(doubtful.members, 0),
        skipped = case when counted.skipped = 0 then batch.skipped else batch.skipped || jsonb_build_object(
          $9::text, coalesce((batch.skipped ->> $10)::int, 0) + counted.skipped) end
      from counted left join doubtful using (channel, number)
      where batch.wave_id = $11 and batch.channel = counted.channel and batch.number = counted.number
        and batch.number = any($12::integer[])
      returning counted.members
    )
    select coalesce(sum(members), 0)::int as ended from ended;
