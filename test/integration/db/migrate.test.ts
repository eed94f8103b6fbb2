import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connect, type Trx } from '../../../src/db/connect.ts'
import { migrateToLatest, migrations, requireMigrations } from '../../../src/db/migrate.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { databaseWithoutSchema, type FreshDatabase } from '../../harness/database.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'
import { spawnProcess } from '../../harness/spawn.ts'
import { planted, second } from './planted.ts'

let database: FreshDatabase
beforeEach(async () => {
  database = await databaseWithoutSchema()
})
afterEach(() => database.drop())

const names = Object.keys(migrations)
const deadlock = '40P01'

it('runs what is new, once', async () => {
  const { db } = database
  expect(await migrateToLatest(db)).toEqual(names)
  expect(names[0]).toMatch(/^0001_schema@[0-9a-f]{12}$/)
  expect(await migrateToLatest(db)).toEqual([])
  expect(await migrateToLatest(db, planted)).toEqual([second])
  expect(await migrateToLatest(db, planted)).toEqual([])
})

it('migrates beside a process whose locks cross those of the migration', async () => {
  const { db } = database
  await migrateToLatest(db)
  const owner = connect(database.url)
  let holder: Trx
  const ran = await commitWhileBlocked(
    db,
    (trx) => {
      holder = trx
      return sql`select from event_binding limit 1`.execute(trx)
    },
    () => migrateToLatest(owner, planted),
    // The migration holds the table of messages, and waits for this transaction; now this one waits for it. Postgres ends
    // whoever notices first: the migration, unless this transaction was a second late.
    () => sql`select from message limit 1`.execute(holder).catch(({ code }) => expect(code).toBe(deadlock)),
  )
  expect(ran).toEqual([second])
  await owner.destroy()
})

/** That the processes end, and what they say. */
async function expectRefused(message: RegExp) {
  await expect(requireMigrations(database.db)).rejects.toThrow(message)
  for (const script of ['src/server.ts', 'src/worker.ts']) {
    const child = await spawnProcess('early', [script], { DATABASE_URL: database.url, PORT: '0' })
    expect(await child.exited, script).toMatchObject({ code: 1 })
    expect(child.log()).toMatch(message)
  }
}

it('of a database without tables, no process makes use', async () => {
  await expectRefused(/lacks migrations of this version: 0001_schema@.* Run: carillon migrate/)
  await migrateToLatest(database.db)
  await requireMigrations(database.db)
})

it.each([
  ['whose schema was edited since', '0001_schema@000000000000'],
  ['of before there was one schema', '0001_schema'],
])('of a database of another build, %s, neither makes use, and it is not migrated', async (_, name) => {
  const { db } = database
  await migrateToLatest(db)
  await sql`update kysely_migration set name = ${name}`.execute(db)
  const message = /migrations that this version does not know.* use an empty database/
  await expectRefused(message)
  const migrated = await runCarillon({ DATABASE_URL: database.url }, 'migrate')
  expect(migrated.code).not.toBe(0)
  expect(migrated.err).toMatch(message)
})

it('a database of a newer version is used, and not migrated back', async () => {
  await migrateToLatest(database.db, planted)
  await requireMigrations(database.db)
  await expect(migrateToLatest(database.db)).rejects.toThrow(/a newer version of Carillon made them/)
})

it('a process that cannot know starts', async () => {
  const nowhere = connect('postgres://nobody@127.0.0.1:1/none')
  await requireMigrations(nowhere)
  await nowhere.destroy()
})
