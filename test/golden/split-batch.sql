insert into batch (wave_id, channel, number, locale, size, repeats, tries, failing_since, code)
    select wave_id, channel, (select coalesce(max(number) + 1, 0) from batch where wave_id = $1 and channel = $2), locale, $3::integer, repeats, tries, failing_since,
      code
    from batch where 
    batch.wave_id = $4 and batch.channel = $5 and batch.number = $6
    and batch.state = 'open' and batch.claimed_by = $7
    returning number;

update delivery set batch = $1
    where wave_id = $2 and channel = $3 and batch = $4 and state = 'pending'
      and subject_id = any($5::uuid[]);

update batch set size = size - $1::integer where 
    batch.wave_id = $2 and batch.channel = $3 and batch.number = $4
    and batch.state = 'open' and batch.claimed_by = $5;

update batch set not_before = clock_timestamp() + make_interval(secs => $1::float8), tries = tries + 1, failing_since = case when code = $2 and $3 <> $4 then clock_timestamp()
    else coalesce(failing_since, clock_timestamp()) end, code = $5 where wave_id = $6 and channel = $7 and number = $8;
