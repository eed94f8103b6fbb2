import { sql } from 'kysely'
import type { Invariant } from './invariant.ts'

/** I1: nobody lost. */
export const recipients: Invariant[] = [
  {
    name: 'I1 rows',
    means: 'a wave has as many deliveries as it expected when its rows were written',
    broken: sql`
      select format('wave %s: %s expected, %s rows', id, expected, rows) as violation
      from wave cross join lateral (
        select count(*) as rows from delivery where wave_id = wave.id
      ) as counted
      where rows <> coalesce(expected, 0) and purged_at is null`,
  },
  {
    name: 'I1 batches',
    means: 'a batch has as many members as its size says',
    broken: sql`
      select format('wave %s: %s batch %s: size %s, %s rows', wave_id, channel, number, size, rows) as violation
      from batch full join (
        select wave_id, channel, batch as number, count(*) as rows
        from delivery where batch is not null group by wave_id, channel, batch
      ) as member using (wave_id, channel, number)
      where size is distinct from coalesce(rows, 0)`,
  },
  {
    name: 'I1 closed',
    means: 'a closed message has nobody pending and no batch that was not counted',
    broken: sql`
      select format('message %s: %s pending, %s batches not counted', message.id, pending, batches) as violation
      from message join wave on wave.message_id = message.id
      cross join lateral (
        select count(*) as pending from delivery where wave_id = wave.id and state = 'pending'
      ) as waiting
      cross join lateral (
        select count(*) as batches from batch where wave_id = wave.id and state <> 'folded'
      ) as uncounted
      where message.closed_at is not null and pending + batches > 0`,
  },
  {
    name: 'I1 counters',
    means: "a closed message's counters say what its rows say",
    broken: sql`
      select format('message %s: wave %s', message.id, wave.id) as violation
      from message join wave on wave.message_id = message.id
      cross join lateral (
        select count(*) filter (where state = 'sent') as sent, count(*) filter (where state = 'failed') as failed,
          count(*) filter (where state = 'unknown') as unknown, count(*) filter (where state = 'skipped') as skipped
        from delivery where wave_id = wave.id
      ) as counted
      where message.closed_at is not null and wave.purged_at is null
        and (wave.sent, wave.failed, wave.unknown,
          (select coalesce(sum(value::integer), 0) from jsonb_each_text(wave.skipped)))
          is distinct from (counted.sent, counted.failed, counted.unknown, counted.skipped)`,
  },
]
