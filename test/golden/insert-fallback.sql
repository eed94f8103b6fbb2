with people as (
      select subject_id, ordinality - 1 as ordinal from unnest($1::uuid[]) with ordinality as member (subject_id)
    ),
    runs as materialized (
      select channel, locale, count, per_batch,
        (select coalesce(max(number) + 1, 0) from batch where wave_id = $2 and channel = $3) + sum((count - 1) / per_batch + 1) over (partition by channel order by locale)
          - ((count - 1) / per_batch + 1) as first_batch
      from (
        values ($4, $5, $6::int, $7::int)) as fallback (channel, locale, count, per_batch)
    ),
    inserted as (
      insert into delivery (wave_id, subject_id, channel, batch, state)
      select $8::uuid, subject_id, channel, first_batch + ordinal / per_batch, 'pending' from people cross join runs
    ),
    batched as (
      insert into batch (wave_id, channel, number, locale, size, repeats)
      select $9::uuid, channel, first_batch + start / per_batch, locale,
        least(per_batch, count - start), false
      from runs cross join generate_series(0, count - 1, per_batch) as start
    )
    update wave
    set expected = expected + $10::int,
      by_channel = jsonb_set(
        by_channel || jsonb_build_object($11::text, coalesce(by_channel -> $12, $13::jsonb)),
        array[$14, 'expected']::text[],
        to_jsonb(coalesce((by_channel -> $15 ->> 'expected')::int, 0) + $16::int)
      )
    where id = $17;
