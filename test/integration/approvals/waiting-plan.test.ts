import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '../../../src/db/connect.ts'
import { listWaiting } from '../../../src/db/queries/approval/waiting.ts'
import type { Database } from '../../../src/db/tables.ts'
import { seedUnit } from '../../fixtures/seed.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'

/** The list of what waits for approval reads little, however much there is. */

type Asked = { sql: string; parameters: readonly unknown[] }

let database: FreshDatabase
let watched: Db
let asked: Asked[] = []
beforeAll(async () => {
  database = await freshDatabase()
  watched = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: database.url, max: 1 }) }),
    log: ({ query }) => void asked.push(query),
  })
})
afterAll(async () => {
  await watched.destroy()
  await database.drop()
})

/** The statement by which a page is read. */
async function pageAfter(unitId: string, after: { since: number; id: string } | null): Promise<Asked> {
  asked = []
  await listWaiting(watched, unitId, { after, limit: 51 })
  expect(asked).toHaveLength(1)
  return asked[0]!
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

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

/** Rows that a plan read from each table, those that it dropped included. */
function rowsRead(node: Node, read: Record<string, number> = {}): Record<string, number> {
  const table = node['Relation Name']
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  if (table) read[table] = (read[table] ?? 0) + rows
  for (const child of node.Plans ?? []) rowsRead(child, read)
  return read
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
  const pool = new pg.Pool({ connectionString: database.url, max: 1 })
  const explained = await pool.query(`explain (analyze, format json) ${page.sql}`, [...page.parameters])
  await pool.end()
  const read = rowsRead(explained.rows[0]['QUERY PLAN'][0].Plan)
  expect(Object.keys(read)).toContain('message')
  for (const [table, rows] of Object.entries(read)) expect(rows, table).toBeLessThan(200)
})
