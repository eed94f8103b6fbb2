import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { MessageState } from '../../../src/contract/enums.ts'
import { listMessageItems } from '../../../src/db/queries/message/read.ts'
import { rowsReadBy, watchedDatabase } from '../../fixtures/query-plans.ts'
import { seedUnit } from '../../fixtures/seed.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)
const watched = forFile(() => watchedDatabase(database.url))

const drafts = 20_000

/** A unit with many drafts, half of which expire some day; of the oldest three the time is over. */
async function insertDrafts(): Promise<string> {
  const { db } = database
  const unitId = await seedUnit(db, 'Busy')
  await sql`insert into category (id, name, layer, channel_plan)
    values ('news', '{"zh-TW": "公告"}', 'service', '{"mode": "all", "channels": ["chat"]}')`.execute(db)
  await sql`
    insert into message (unit_id, origin, category_id, title, audience, channel_plan, created_by, expires_at)
    select ${unitId}, 'api', 'news', '{"zh-TW": "公告"}', '{"kind": "all"}', '{}', 'key:k',
      case when n <= 3 then now() - interval '1 second' when n % 2 = 0 then now() + interval '1 day' end
    from generate_series(1, ${drafts}) as n`.execute(db)
  await sql`analyze`.execute(db)
  return unitId
}

it('a list of expired messages reads no draft whose time is ahead', async () => {
  const unitId = await insertDrafts()
  const readOf = async (states: MessageState[]) => {
    watched.asked.length = 0
    const filter = { unitId, states, order: 'newest', after: null, limit: 51 } as const
    const rows = await listMessageItems(watched.db, 'key:k', filter)
    return { rows, read: (await rowsReadBy(database.url, watched.asked[0]!)).message }
  }
  const expired = await readOf(['expired'])
  expect(expired.rows.map(({ state }) => state)).toEqual(['expired', 'expired', 'expired'])
  expect(expired.read).toBeLessThan(20)
  const both = await readOf(['draft', 'expired'])
  expect(both.rows.map(({ state }) => state)).toEqual(Array.from({ length: 51 }, () => 'draft'))
  expect(both.read).toBeLessThan(200)
})
