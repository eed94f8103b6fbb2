import { sql } from 'kysely'
import { pino } from 'pino'
import type { Db } from '../../../src/db/connect.ts'
import { clearNextErased } from '../../../src/services/subjects/erase.ts'

const log = pino({ level: 'silent' })

/** As if a minute had passed since the erasure. */
export async function clearAll(db: Db): Promise<void> {
  await sql`update erasure set next_try_at = now(), at = at - interval '2 minutes'`.execute(db)
  while (await clearNextErased({ db, log })) {}
}

/** Every place of the database, but its own indexes, in which a text stands. */
export async function placesOf(db: Db, text: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
  `.execute(db)
  const places: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(name)} as t where to_jsonb(t)::text like ${`%${text}%`}
    `.execute(db)
    if (rows[0]!.n > 0) places.push(name)
  }
  return places
}
