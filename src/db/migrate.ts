import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './connect.ts'
import * as schema from './migrations/0001_schema.ts'

const migrations: Record<string, Migration> = { '0001_schema': schema }

/**
 * Brings the schema up to date; safe to run in several processes at once (Kysely holds an advisory lock). Returns the
 * names of the migrations it ran.
 * @throws the first error; the migrations before it stay applied. A schema that was never released has no upgrade.
 */
export async function migrateToLatest(db: Db): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (isUnreleased(error))
    throw new Error(
      'The database has the schema of an unreleased version, which cannot be upgraded. Use an empty database; for ' +
        'npm start, delete the folder .data.',
    )
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}

/** Kysely's error for a migration that the database has run and this version does not contain. */
function isUnreleased(error: unknown): boolean {
  return error instanceof Error && /previously executed migration .* is missing/.test(error.message)
}
