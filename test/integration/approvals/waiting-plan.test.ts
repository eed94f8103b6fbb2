import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Db } from '../../../src/db/connect.ts'
import { listWaiting } from '../../../src/db/queries/approval/waiting.ts'
import { rowsReadBy, type Statement, watchedDatabase } from '../../fixtures/query-plans.ts'
import { seedUnit } from '../../fixtures/seed.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

/** The list of what waits for approval reads little, however much there is. */

const database = forFile(freshDatabase)
const watched = forFile(() => watchedDatabase(database.url))

/** The statement by which a page is read. */
async function pageAfter(unitId: string, after: { since: number; id: string } | null): Promise<Statement> {
  watched.asked.length = 0
  await listWaiting(watched.db, unitId, { after, limit: 51 })
  expect(watched.asked).toHaveLength(1)
  return watched.asked[0]!
}

const decided = 20_000
const waiting = 3

/** A unit in which all but the last three of each kind have been decided. */
async function insertMany(db: Db): Promise<string> {
  const unitId = await seedUnit(db, 'Busy')
  await sql`insert into category (id, name, layer, channel_plan)
    values ('news', '{"zh-TW": "公告"}', 'service', '{"mode": "all", "channels": ["chat"]}')`.execute(db)
  const waits = sql`n > ${decided}`
  await sql`
    insert into message (unit_id, origin, category_id, title, audience, channel_plan, created_by, state, closed_at)
    select ${unitId}, 'api', 'news', '{"zh-TW": "公告"}', '{"kind": "all"}', '{}', 'key:k',
      case when ${waits} then 'submitted' else 'cancelled' end, case when ${waits} then null else now() end
    from generate_series(1, ${decided + waiting}) as n`.execute(db)
  await sql`
    with made as (
      insert into template (unit_id, category_id, name)
      select ${unitId}, 'news', n::text from generate_series(1, ${decided + waiting}) as n returning id, name::int as n)
    insert into template_version (template_id, version, messages, created_by, state)
    select id, version, '[]', 'key:k', case when ${waits} and version = 2 then 'draft' else 'approved' end
    from made, generate_series(1, 2) as version`.execute(db)
  await sql`
    with made as (
      insert into event_binding (unit_id) select ${unitId} from generate_series(1, ${decided + waiting}) returning id)
    insert into event_binding_version (binding_id, version, state, source, type, category_id, audience, enabled,
      created_by, authors)
    select id, 1, case when ${waits} then 'submitted' else 'in_force' end, 'sis', n::text, 'news', '{"kind": "all"}',
      true, 'key:k', '{key:k}'
    from (select id, row_number() over () as n from made) as numbered`.execute(db)
  await sql`analyze`.execute(db)
  return unitId
}

it('the list of what waits matches its golden SQL', async () => {
  const unitId = await seedUnit(database.db, 'Idle')
  for (const [name, after] of [
    ['waiting', null],
    ['waiting-after', { since: 1_796_086_800_000_000, id: unitId }],
  ] as const) {
    const page = await pageAfter(unitId, after)
    await expect(`${page.sql.trim()}\n`).toMatchFileSnapshot(`../../golden/${name}.sql`)
  }
})

it('reads nothing that has been decided', async () => {
  const unitId = await insertMany(database.db)
  const page = await pageAfter(unitId, null)
  const read = await rowsReadBy(database.url, page)
  expect(Object.keys(read)).toContain('message')
  for (const [table, rows] of Object.entries(read)) expect(rows, table).toBeLessThan(200)
})
