import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../../src/db/connect.ts'
import { migrateToLatest, migrations } from '../../../src/db/migrate.ts'

/**
 * An installation in the middle of its work, as its rows in the first schema: an early build filled a database by its
 * services, its API and its activities, with providers whose answers were set; its migrations brought the rows here, and
 * `to_jsonb` wrote each. Columns that have their default in every row are left out. All names are made up. A release that
 * changes what rows mean adds a file of its own; this one stays.
 */
export type Filled = {
  /** When the rows were read; times are loaded relative to it. */
  at: string
  /** Message ids by what each message is about. */
  messages: Record<string, string>
  /** Producer keys and console sessions, as their holders keep them. */
  keys: Record<'a' | 'b' | 'administrative', string>
  sessions: Record<'admin' | 'editor' | 'approver', string>
  bindings: Record<string, string>
  /** The chat provider's memory: the calls it accepted. */
  accepted: { retryKey: string; to: string[] }[]
  partitions: { name: string; bounds: string }[]
  tables: Record<string, Row[]>
}

/** By column. */
export type Row = Record<string, unknown>

/** With this key the installation sealed its secrets. */
export const secretsKey = Buffer.alloc(32, 7)

/** In the file, a table is a list: the names of its columns, then the values of each row. */
type Lines = [columns: string[], ...rows: unknown[][]]

export function readFilled(): Filled {
  const text = readFileSync(join(import.meta.dirname, 'filled-0001.json'), 'utf8')
  const { tables, ...rest } = JSON.parse(text) as Omit<Filled, 'tables'> & { tables: Record<string, Lines> }
  return {
    ...rest,
    tables: Object.fromEntries(Object.entries(tables).map(([name, lines]) => [name, rowsOf(lines)])),
  }
}

function rowsOf([columns, ...rows]: Lines): Row[] {
  return rows.map((values) => Object.fromEntries(columns.map((column, place) => [column, values[place]])))
}

/** Makes an empty database one of the first schema. */
export async function migrateToFirst(db: Db): Promise<void> {
  const [first] = Object.entries(migrations)
  await migrateToLatest(db, Object.fromEntries([first!]))
}

/**
 * Makes an empty database that installation: the first migration alone, then its rows. What was an hour ago when they
 * were read is an hour ago now, and this month is this month.
 */
export async function loadFilled(db: Db, filled: Filled): Promise<void> {
  await migrateToFirst(db)
  for (const { name, bounds } of filled.partitions)
    await sql`create table ${sql.table(name)} partition of delivery ${sql.raw(bounds)}`.execute(db)
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx) // rows of any order refer to one another
    for (const [table, rows] of Object.entries(filled.tables)) await insertRows(trx, table, rows, filled.at)
  })
}

/** In place of the rows that the schema itself inserts. */
async function insertRows(db: Db, table: string, rows: Row[], at: string): Promise<void> {
  await sql`delete from ${sql.table(table)}`.execute(db)
  const columns = (await columnsOf(db, table)).filter(({ name }) => name in rows[0]!)
  const values = columns.map(({ name, type }) => {
    const column = sql.ref(name)
    if (type === 'timestamp with time zone') return sql`${column} + (now() - ${at}::timestamptz)`
    return type === 'date' ? sql`(${column} + ${monthsSince(at)})::date` : column
  })
  await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map(({ name }) => sql.ref(name)))}) overriding system value
    select ${sql.join(values)} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
  `.execute(db)
  for (const { name, identity } of columns)
    if (identity)
      await sql`
        select setval(pg_get_serial_sequence(${table}, ${name}), (select max(${sql.ref(name)}) from ${sql.table(table)}))
      `.execute(db)
}

/** Quota is counted by the months of this time zone. */
const quotaTimeZone = 'Asia/Taipei'

function monthsSince(at: string) {
  const month = (moment: ReturnType<typeof sql>) =>
    sql`date_trunc('month', ${moment} at time zone ${quotaTimeZone})`
  return sql`age(${month(sql`now()`)}, ${month(sql`${at}::timestamptz`)})`
}

type Column = { name: string; type: string; identity: boolean }

async function columnsOf(db: Db, table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select column_name as name, data_type as type, is_identity = 'YES' as identity
    from information_schema.columns where table_schema = 'public' and table_name = ${table}
    order by ordinal_position`.execute(db)
  return rows
}
