with pending as (
      select subject_id, row_number() over (order by subject_id) as ordinal, count(*) over () as size
      from delivery
      where wave_id = $1 and channel = $2 and batch = $3 and state = 'pending'
    )
    select (select coalesce(max(number) + 1, 0) from batch where wave_id = $4 and channel = $5) as number, array_agg(subject_id) as movers
    from pending where ordinal > size / 2;

delete from call
    where wave_id = $1 and channel = $2 and batch = $3 and call_number >= $4;

with shrunk as (
      update batch set size = size - $1::integer, lease_until = null, not_before = null
      where 
    batch.wave_id = $2 and batch.channel = $3 and batch.number = $4
    and batch.state = 'open' and batch.claimed_by = $5
      returning wave_id, channel, locale, tries, failing_since, code
    )
    insert into batch (wave_id, channel, number, locale, size, tries, failing_since, code)
    select wave_id, channel, $6::integer, locale, $7::integer, tries, failing_since, code
    from shrunk;

update delivery set batch = $1
    where wave_id = $2 and channel = $3 and batch = $4
      and subject_id = any($5::uuid[]);

with accepted as (
      select * from call where wave_id = $1 and channel = $2 and batch = $3
    ),
    member as (
      select call_number, subject_id, address, ordinal, subject_id = any($4::uuid[]) as moves
      from accepted, unnest(subject_ids, addresses) with ordinality as one (subject_id, address, ordinal)
    ),
    share as (
      select call_number, moves, array_agg(subject_id order by ordinal) as subject_ids,
        array_agg(address order by ordinal) as addresses
      from member group by call_number, moves
    ),
    kept as (
      update call set subject_ids = share.subject_ids, addresses = share.addresses from share
      where not moves and call.wave_id = $5 and call.channel = $6 and call.batch = $7
        and call.call_number = share.call_number
    ),
    moved as (
      insert into call (wave_id, channel, batch, call_number, retry_key, subject_ids, addresses, state, tries,
        first_try_at, code, request_id)
      select wave_id, channel, $8::integer, call_number, retry_key, share.subject_ids, share.addresses, state, tries,
        first_try_at, code, request_id
      from accepted join share using (call_number) where moves
      returning cardinality(subject_ids) as pushes
    )
    update batch
    set pushes = pushes + (select coalesce(sum(moved.pushes), 0) from moved)
      * case batch.number when $9 then 1 else -1 end
    where wave_id = $10 and channel = $11 and batch.number in ($12, $13);
