with base as materialized (
      select coalesce(max(number) + 1, 0) as number from batch where wave_id = $1 and channel = $2
    ),
    inserted as (
      insert into delivery (wave_id, subject_id, channel, batch, state)
      select $3::uuid, subject_id, $4, base.number + (place - 1) / $5::int, 'pending'
      from unnest($6::uuid[]) with ordinality as member (subject_id, place), base
    ),
    batched as (
      insert into batch (wave_id, channel, number, locale, size)
      select $7::uuid, $8, base.number + start / $9::int, $10,
        least($11::int, $12::int - start)
      from generate_series(0, $13::int - 1, $14::int) as start, base
    )
    update wave
    set expected = expected + $15::int,
      by_channel = jsonb_set(
        by_channel || jsonb_build_object($16::text, coalesce(by_channel -> $17, $18::jsonb)),
        array[$19, 'expected']::text[],
        to_jsonb(coalesce((by_channel -> $20 ->> 'expected')::int, 0) + $21::int)
      )
    where id = $22;
