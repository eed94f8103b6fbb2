import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connect, type Trx } from '../../../src/db/connect.ts'
import { migrateToLatest, requireMigrations } from '../../../src/db/migrate.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'
import { spawnProcess } from '../../harness/spawn.ts'

/** A database of the version before the newest migration. */
let database: FreshDatabase
beforeEach(async () => {
  database = await freshDatabase()
  await sql`alter table message drop column traceparent`.execute(database.db)
  await sql`alter table scenario_run drop column traceparent`.execute(database.db)
  await sql`delete from kysely_migration where name = '0027_traces'`.execute(database.db)
})
afterEach(() => database.drop())

const ran = ['0027_traces']

it('migrates beside a process whose locks cross those of the migration', async () => {
  const { db } = database
  const owner = connect(database.url)
  let holder: Trx
  const names = await commitWhileBlocked(
    db,
    (trx) => {
      holder = trx
      return sql`select from scenario_run limit 1`.execute(trx)
    },
    () => migrateToLatest(owner),
    // The migration holds the table of messages, and waits for this transaction; now this one waits for it.
    () => sql`select from message limit 1`.execute(holder),
  )
  expect(names).toEqual(ran)
  await owner.destroy()
})

it('of a database that lacks a migration, no process makes use', async () => {
  await expect(requireMigrations(database.db)).rejects.toThrow(/0027_traces\. Run: carillon migrate/)
  for (const script of ['src/server.ts', 'src/worker.ts']) {
    const child = await spawnProcess('early', [script], { DATABASE_URL: database.url, PORT: '0' })
    expect(await child.exited, script).toMatchObject({ code: 1 })
    expect(child.log()).toContain('lacks migrations of this version: 0027_traces. Run: carillon migrate')
  }
  expect(await migrateToLatest(database.db)).toEqual(ran)
  await requireMigrations(database.db)
})

it('of a database without tables says the same, and lets a process start that cannot know', async () => {
  await sql`drop table kysely_migration`.execute(database.db)
  await expect(requireMigrations(database.db)).rejects.toThrow(/0001_schema, .*0027_traces/)
  const nowhere = connect('postgres://nobody@127.0.0.1:1/none')
  await requireMigrations(nowhere)
  await nowhere.destroy()
})
