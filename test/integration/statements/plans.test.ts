import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { ensureDeliveryPartition } from '../../../src/db/queries/delivery/deliveries.ts'
import { explainedDatabase, type Scan } from '../../fixtures/explained-statements.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'
import type { Act } from './acts/act.ts'
import { patternActs } from './acts/patterns.ts'
import { runActs } from './acts/runs.ts'
import { unitActs } from './acts/units.ts'
import { waveActs } from './acts/waves.ts'
import { readingActs } from './acts/waves-read.ts'
import { type PlantedKey, plantKeys } from './planted/keys.ts'
import { plantPeople } from './planted/people.ts'

/**
 * No plan depends on what Postgres has sampled: whatever it knows of the keys of a table, a statement reads the rows that
 * it is about, and little more (docs/design/speed.md, "Plans and keys").
 */
const acts: Record<string, Act> = { ...readingActs, ...waveActs, ...unitActs, ...patternActs, ...runActs }

/** The keys that are planted first. One more than these is new to Postgres. */
const firstKeys = 6

const rehearsed = forFile(rehearse)
const neverAnalysed = forFile(() => openTables(rehearsed.statements))
const analysed = forFile(() => openTables(rehearsed.statements, (db) => sql`analyze`.execute(db)))

/** Performs each act once, to know the statements that it sends. */
async function rehearse() {
  const tables = await openTables([])
  const [key] = await tables.plant(1)
  await faultsOfActs(tables, key!)
  const { statements } = tables.explained
  await tables.close()
  return { statements }
}

/** A database in which nothing is analysed unless the test does so, and in whose empty tables statements were planned. */
async function openTables(
  statements: Iterable<string>,
  prepare?: (db: FreshDatabase['db']) => Promise<unknown>,
) {
  const { db, url, drop } = await freshDatabase()
  const explained = explainedDatabase(url)
  const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(db)
  await ensureDeliveryPartition(db, rows[0]!.id)
  await sql`
    do $$ declare name text; begin
      for name in select oid::regclass from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('alter table %s set (autovacuum_enabled = off)', name);
      end loop;
    end $$`.execute(db)
  await prepare?.(db)
  await explained.keep(statements)
  let peopled = false
  const plant = async (keys: number) => {
    if (!peopled) await plantPeople(db)
    peopled = true
    return plantKeys(db, keys)
  }
  const close = async () => {
    await explained.close()
    await drop()
  }
  return { db, explained, plant, close }
}

type Tables = Awaited<ReturnType<typeof openTables>>

/** What the acts read beyond what they are about. */
async function faultsOfActs({ db, explained }: Tables, planted: PlantedKey): Promise<string[]> {
  const firsts = await firstColumns(db)
  const faults = new Map<string, string>()
  for (const [name, { about, act }] of Object.entries(acts)) {
    await act({ db: explained.db, planted }, async (work) => {
      for (const scan of await explained.scansOf(work)) {
        noteKey(scan, firsts)
        if (!isBeyond(about, scan, firsts)) continue
        const { mode, node, rows, pages, plan } = scan
        const statement = scan.sql.trim().replaceAll(/\s+/g, ' ')
        const fault = `${name}, ${mode} plan: ${node} reads ${rows} rows, ${pages} pages\n${plan}\n${statement}`
        faults.set(`${name} ${mode} ${scan.sql}`, fault)
      }
    })
  }
  return [...faults.values()]
}

/** The keys by which the acts have found rows, with their tables. */
const usedKeys = new Set<string>()

function noteKey({ index = '', condition = '' }: Scan, firsts: Firsts): void {
  const of = firsts.get(index)
  if (of && condition.includes(`${of.first} = `)) usedKeys.add(`${of.table} ${of.first}`)
}

/**
 * A look-up passes the levels of an index, and what was rolled back leaves its entries there. What is kept from an empty
 * table may read it whole, until Postgres has analysed it; but not what a key has.
 */
function isBeyond(
  about: number,
  { mode, node, index = '', condition = '', rows, pages }: Scan,
  firsts: Firsts,
) {
  const most = 2 * about + 20
  const beyond = rows > (node.startsWith('Bitmap Index Scan') ? 4 * most : most) || pages > 8 * most
  return beyond && (mode !== 'kept' || condition.includes(`${firsts.get(index)?.first} = `))
}

/** The table of each index, and its first column, by its name. */
type Firsts = Map<string, { table: string; first: string }>

async function firstColumns(db: FreshDatabase['db']): Promise<Firsts> {
  const { rows } = await sql<{ index: string; table: string; first: string }>`
    select of_index.relname as index, coalesce(inhparent, indrelid)::regclass::text as table,
      pg_get_indexdef(indexrelid, 1, true) as first
    from pg_index join pg_class as of_index on of_index.oid = indexrelid left join pg_inherits on inhrelid = indrelid
    where relnamespace = 'public'::regnamespace`.execute(db)
  return new Map(rows.map(({ index, ...of }) => [index, of]))
}

/** Tables with several indexes that begin with one column, of which a value may have many rows; not with moments. */
async function keysOfTables(db: FreshDatabase['db']): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select format('%s %s', of_table.relname, attname) as key
    from pg_index join pg_class as of_index on of_index.oid = indexrelid join pg_class as of_table on of_table.oid = indrelid
      join pg_attribute on attrelid = indrelid and attnum = indkey[0] join pg_am on pg_am.oid = of_index.relam
    where of_table.relnamespace = 'public'::regnamespace and not of_table.relispartition and amname = 'btree'
      and atttypid not in ('timestamptz'::regtype, 'date'::regtype)
    group by 1 having count(*) > 1 and not bool_or(indisunique and indnkeyatts = 1 and indpred is null)
    order by 1`.execute(db)
  return rows.map(({ key }) => key)
}

it('reads little in tables that were never analysed', async () => {
  const keys = await neverAnalysed.plant(firstKeys + 1)
  expect(await faultsOfActs(neverAnalysed, keys[firstKeys]!)).toEqual([])
})

it('reads little in tables that were analysed when they were empty', async () => {
  const keys = await analysed.plant(firstKeys)
  expect(await faultsOfActs(analysed, keys[0]!)).toEqual([])
})

it('reads little of a key that is newer than the statistics', async () => {
  await sql`analyze`.execute(analysed.db)
  const [key] = await analysed.plant(1)
  expect(await faultsOfActs(analysed, key!)).toEqual([])
})

it('reads little of a key that Postgres has sampled', async () => {
  const [key] = await analysed.plant(1)
  await sql`analyze`.execute(analysed.db)
  expect(await faultsOfActs(analysed, key!)).toEqual([])
})

it('has acts about every key that several indexes begin with', async () => {
  const keys = await keysOfTables(analysed.db)
  expect(keys).toContain('delivery wave_id')
  expect(keys.filter((key) => !usedKeys.has(key))).toEqual([])
})
