import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { retentionSettings } from '../../../src/config/settings/records.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/data.md'), 'utf8')
const rowPattern = /^\| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm
const rows = [...page.matchAll(rowPattern)].map(([, table, holds, kept, exported, erased]) => ({
  ...{ table: table!, holds: holds!, kept: kept!, exported: exported!, erased: erased! },
}))
const byTable = new Map(rows.map((row) => [row.table, row]))

/** Columns that name a recipient: by id, uid or address, or in what they wrote. */
const naming = ['subject_id', 'subject_ids', 'subject_uids', 'uid', 'address', 'addresses', 'channel_user']

const database = forFile(freshDatabase)

describe('docs/data.md', () => {
  it('names every table once', async () => {
    const { rows: tables } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname not like 'kysely%' order by relname`.execute(database.db)
    expect(rows.map(({ table }) => table).sort()).toEqual(tables.map(({ name }) => name).sort())
  })

  it('says how each table that names recipients forgets them, and whether it is exported', async () => {
    const { rows: columns } = await sql<{ table: string; column: string }>`
      select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = 'public' and column_name = any(${naming}::text[])`.execute(database.db)
    const silent = columns.filter(({ table }) => byTable.get(table)?.erased === '–')
    expect(silent).toEqual([])
  })

  it('agrees with the foreign keys by which rows belong to a person', async () => {
    const { rows: keys } = await sql<{ table: string; cascades: boolean }>`
      select conrelid::regclass::text as "table", confdeltype = 'c' as cascades from pg_constraint
      where confrelid = 'subject'::regclass and contype = 'f' and conparentid = 0`.execute(database.db)
    expect(keys.length).toBeGreaterThan(10)
    for (const { table, cascades } of keys) {
      const { exported, erased } = byTable.get(table)!
      expect({ table, exported }).toEqual({ table, exported: 'yes' })
      expect({ table, deleted: erased.startsWith('deleted') }).toEqual({ table, deleted: cascades })
    }
  })

  it('names every setting of retention, and no other', () => {
    const named = new Set(rows.flatMap(({ kept }) => [...kept.matchAll(/`(\w+)`/g)].map(([, name]) => name)))
    const settings = Object.keys(retentionSettings)
    expect([...named].sort()).toEqual(settings.sort())
  })
})
