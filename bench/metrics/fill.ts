import { sql } from 'kysely'
import type { Db } from '../../src/db/connect.ts'

/** How large the filled installation is. Ten deliveries a wave, a message a wave. */
export type Size = { units: number; people: number; waves: number }
export const deliveriesPerWave = 10
const days = 366

/** Fills an empty database with finished waves of the last year, spread over units, days and people. */
export async function fill(db: Db, { units, people, waves }: Size): Promise<void> {
  // Not read here, and the rows come in no order of theirs.
  for (const index of ['delivery_subject', 'delivery_batch'])
    await sql`drop index ${sql.table(index)}`.execute(db)
  await sql`
    insert into category (id, name, layer, channel_plan)
    values ('news', '{"zh-TW": "公告"}', 'service', '{"mode": "all", "channels": ["chat"]}')`.execute(db)
  await sql`
    insert into unit (name, created_at)
    select 'Unit ' || n, now() - make_interval(days => ${days}::int) from generate_series(1, ${units}::int) as n`.execute(
    db,
  )
  await sql`
    insert into subject (uid, stage, acquisition_source, tags)
    select 'p' || n, case n % 3 when 0 then 'alumni' else 'member' end, 'import', array['interest:' || n % 50]
    from generate_series(1, ${people}::int) as n`.execute(db)
  await sql`select make_delivery_partition(month::date)
    from generate_series(now() - make_interval(days => ${days}::int + 31), now(), interval '1 month') as month`.execute(
    db,
  )
  await sql`
    create table filler as
    select n, uuidv7(-age) as message_id, uuidv7(-age) as wave_id, now() - age as at,
      (select array_agg(id order by id) from unit)[1 + n % ${units}::int] as unit_id
    from generate_series(1, ${waves}::int) as n
      cross join lateral (select make_interval(secs => ${days * 86_400}::float8 * (1 - n::float8 / ${waves}::int)) as age) as of
  `.execute(db)
  await sql`
    insert into message (id, unit_id, state, origin, category_id, title, audience, channel_plan, created_by, closed_at)
    select message_id, unit_id, 'sent', 'api', 'news', '{}', '{}', '{}', 'key:bench', at from filler`.execute(
    db,
  )
  await sql`
    insert into wave (id, message_id, state, month, expected, sent, finished_at)
    select wave_id, message_id, 'sent', date_trunc('month', at), ${deliveriesPerWave}::int, ${deliveriesPerWave}::int, at
    from filler`.execute(db)
  await sql`create table person_at as select row_number() over () - 1 as n, id from subject`.execute(db)
  await sql`create unique index on person_at (n) include (id)`.execute(db)
  for (let from = 0; from < waves; from += 50_000)
    await sql`
      insert into delivery (wave_id, subject_id, channel, batch, state)
      select wave_id, id, 'chat', 0, 'sent'
      from filler cross join generate_series(0, ${deliveriesPerWave - 1}::int) as k
        join person_at on person_at.n = (filler.n::bigint * 7919 + k * 104729) % ${people}::int
      where filler.n > ${from}::int and filler.n <= ${from + 50_000}::int`.execute(db)
  await sql`drop table filler, person_at`.execute(db)
  await sql`analyze`.execute(db)
}
