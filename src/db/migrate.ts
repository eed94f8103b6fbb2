import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './connect.ts'

/** By name, in the order in which they run. */
export type Migrations = Record<string, Migration>

/** The first schema: a folder of SQL, in the order of its files. Each later migration is one file, <number>_<what>.sql. */
const folder = join(import.meta.dirname, 'migrations')
const first = '0001_schema'

/** The migrations of this build. */
export const migrations: Migrations = Object.fromEntries(
  readdirSync(folder)
    .sort()
    .map((entry) => {
      const statements = readSql(join(folder, entry))
      const up: Migration['up'] = async (db) => void (await sql.raw(statements).execute(db))
      return [nameOf(entry, statements), { up }]
    }),
)

function readSql(path: string): string {
  if (!statSync(path).isDirectory()) return readFileSync(path, 'utf8')
  const files = readdirSync(path).sort()
  return files.map((file) => readFileSync(join(path, file), 'utf8')).join('\n')
}

/**
 * The name under which the database records that it ran. The first schema is edited until version 1.0.0, so its name
 * carries its digest: the database of another build has another first migration, and is refused.
 */
function nameOf(entry: string, statements: string): string {
  const digest = createHash('sha256').update(statements).digest('hex').slice(0, 12)
  return entry === first ? `${first}@${digest}` : entry.replace(/\.sql$/, '')
}

/** Tries in all, and the pause between two (ms). */
const triesMost = 10
const pauseMs = 500

/**
 * Brings the schema up to date; safe to run in several processes at once (Kysely holds an advisory lock), and while other
 * processes use the database: where their locks and those of the migrations get in each other's way, it tries again.
 * Returns the names of the migrations it ran.
 * @throws the first error; no migration is applied then, since all run in one transaction
 */
export async function migrateToLatest(db: Db, to = migrations): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => to } })
  for (let tries = 1; ; tries += 1) {
    const { error, results } = await migrator.migrateToLatest()
    if (!error) return (results ?? []).map((result) => result.migrationName)
    if (isOfAnotherBuild(error)) throw new Error(anotherBuild)
    if (!lostALock(error) || tries === triesMost) throw error
    await sleep(pauseMs)
  }
}

const anotherBuild =
  'The database has migrations that this version does not know: a newer version of Carillon made them, or a build from ' +
  'before 1.0.0, whose databases have no upgrade path. Run that version, or use an empty database. To start over with ' +
  'npm start, delete its data folder: .data, or the one that CARILLON_DATA_DIR names.'

/** A deadlock with a process that runs, or a lock that one held for too long. */
function lostALock(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === '40P01' || code === '55P03'
}

/** Kysely's error for a migration that the database has run and this version does not contain. */
function isOfAnotherBuild(error: unknown): boolean {
  return error instanceof Error && /previously executed migration .* is missing/.test(error.message)
}

/** What to do where the tables of this version are missing. */
export const migrateAdvice = 'Run: carillon migrate (with Docker: docker compose run --rm migrate)'

/**
 * Refuses to go on with a database of another build, or one that lacks migrations of this version: its statements would
 * fail, and each failure counts against a run. One that has run more is of a newer version, which keeps the schema
 * usable for this one. A database that does not answer, or does not tell, is no reason: it may be down for a moment.
 * @throws Error that says what is missing, and what to do
 */
export async function requireMigrations(db: Db): Promise<void> {
  const ran = await sql<{ name: string }>`select name from kysely_migration`.execute(db).then(
    ({ rows }) => new Set(rows.map(({ name }) => name)),
    ({ code }: { code?: unknown }) => (code === '42P01' ? new Set<string>() : undefined),
  )
  if (!ran) return
  const missing = Object.keys(migrations).filter((name) => !ran.has(name))
  if (ran.size > 0 && missing.includes(Object.keys(migrations)[0]!)) throw new Error(anotherBuild)
  if (missing.length > 0)
    throw new Error(`The database lacks migrations of this version: ${missing.join(', ')}. ${migrateAdvice}`)
}
