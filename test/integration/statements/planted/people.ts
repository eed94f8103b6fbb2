import { sql } from 'kysely'
import type { Db } from '../../../../src/db/connect.ts'

/** How many rows of a table one key has: far more than the members of a batch or a page, so that reading them all shows. */
export const perKey = 2_000

/** As many people as a key has rows, and a category. */
export async function plantPeople(db: Db): Promise<void> {
  await sql`
    insert into subject (uid, moved_at) select 'person-' || n, null from generate_series(1, ${perKey}::int) n`.execute(
    db,
  )
  await sql`
    insert into address (subject_id, channel, address) select id, 'email', uid || '@example.edu' from subject`.execute(
    db,
  )
  await sql`
    insert into category (id, name, layer, channel_plan, frequency_cap)
    values ('news', '{"zh-TW":"消息"}', 'service', '{"mode":"all","channels":["email"]}', '{"messages":1,"days":30}')`.execute(
    db,
  )
}
