import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connect, type Trx } from '../../../src/db/connect.ts'
import { migrateToLatest, requireMigrations } from '../../../src/db/migrate.ts'
import { databaseWithoutSchema, type FreshDatabase } from '../../harness/database.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'
import { spawnProcess } from '../../harness/spawn.ts'
import { migrateToFirst } from './load-filled.ts'

/** A database of the first release. */
let database: FreshDatabase
beforeEach(async () => {
  database = await databaseWithoutSchema()
  await migrateToFirst(database.db)
})
afterEach(() => database.drop())

const second = '0002_bound_audiences'
const deadlock = '40P01'

it('migrates beside a process whose locks cross those of the migration', async () => {
  const { db } = database
  const owner = connect(database.url)
  let holder: Trx
  const names = await commitWhileBlocked(
    db,
    (trx) => {
      holder = trx
      return sql`select from event_binding limit 1`.execute(trx)
    },
    () => migrateToLatest(owner),
    // The migrations hold the table of messages, and wait for this transaction; now this one waits for them. Postgres ends
    // whoever notices first: the migrations, unless this transaction was a second late.
    () => sql`select from message limit 1`.execute(holder).catch(({ code }) => expect(code).toBe(deadlock)),
  )
  expect(names[0]).toBe(second)
  await owner.destroy()
})

it('of a database that lacks a migration, no process makes use', async () => {
  await expect(requireMigrations(database.db)).rejects.toThrow(/: 0002_.* Run: carillon migrate/)
  for (const script of ['src/server.ts', 'src/worker.ts']) {
    const child = await spawnProcess('early', [script], { DATABASE_URL: database.url, PORT: '0' })
    expect(await child.exited, script).toMatchObject({ code: 1 })
    expect(child.log()).toMatch(/lacks migrations of this version: 0002_.* Run: carillon migrate/)
  }
  expect((await migrateToLatest(database.db))[0]).toBe(second)
  await requireMigrations(database.db)
})

it('of a database without tables says the same, and lets a process start that cannot know', async () => {
  await sql`drop table kysely_migration`.execute(database.db)
  await expect(requireMigrations(database.db)).rejects.toThrow(/: 0001_schema, 0002_/)
  const nowhere = connect('postgres://nobody@127.0.0.1:1/none')
  await requireMigrations(nowhere)
  await nowhere.destroy()
})
