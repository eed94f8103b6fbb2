import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { connect, takesWrites } from '../../../src/db/connect.ts'
import { isUnavailable } from '../../../src/db/unavailable.ts'
import { freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { openRoute } from '../../harness/route.ts'

const database = forFile(freshDatabase)

it('a connection that breaks between two queries of a transaction fails the next one, not the process', async () => {
  const db = connect(database.url)
  const broken = db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
    const pid = rows[0]!.pid
    await sql`select pg_terminate_backend(${pid})`.execute(database.db)
    await eventually(async () => {
      const left = await sql`select from pg_stat_activity where pid = ${pid}`.execute(database.db)
      expect(left.rows).toEqual([])
    })
    await sql`select 1`.execute(trx)
  })
  expect(isUnavailable(await broken.catch((error: unknown) => error))).toBe(true)
  await db.destroy()
})

/** One connection that has executed this often enough to prepare it. */
async function prepared(table: string) {
  const db = connect(database.url, { poolSize: 1 })
  const ask = () => sql`select * from ${sql.table(table)} where n = ${1}`.execute(db)
  for (let times = 0; times < 3; times++) await ask()
  return { db, ask }
}

it('repeated statements are prepared, once for each connection', async () => {
  await sql`create table asked (n integer)`.execute(database.db)
  const { db, ask } = await prepared('asked')
  await ask()
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
  expect(rows).toEqual([{ statement: expect.stringContaining('from "asked"') }])
  await db.destroy()
})

it('a table migrated under a prepared statement costs one 503, then works', async () => {
  await sql`create table migrated (n integer)`.execute(database.db)
  const { db, ask } = await prepared('migrated')
  await sql`alter table migrated add column m integer`.execute(database.db)
  expect(isUnavailable(await ask().catch((error: unknown) => error))).toBe(true)
  for (let times = 0; times < 4; times++) expect((await ask()).rows).toEqual([])
  await db.destroy()
})

it('a dead connection fails its query; a long query is waited for', async () => {
  const route = await openRoute(Number(new URL(database.url).port))
  const url = new URL(database.url)
  Object.assign(url, { hostname: '127.0.0.1', port: String(route.port) })
  const db = connect(url.href, { silenceMs: 300 })
  await sql`select pg_sleep(2)`.execute(db) // the server reports it as running

  const query = sql`select pg_sleep(1)`.execute(db).catch((error: unknown) => error)
  route.set('silent')
  expect(isUnavailable(await query)).toBe(true)
  route.set('open')
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  await db.destroy()
  await route.close()
})

it('a write refused by a standby costs one 503, and drops every connection to it', async () => {
  const db = connect(database.url, { poolSize: 2 })
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db)
  const name = sql.ref(rows[0]!.name)
  await sql`create table written (n integer)`.execute(database.db)
  const both = (statement: string) =>
    Promise.all([1, 2].map(() => sql.raw(`${statement}; select pg_sleep(0.1)`).execute(db)))
  const setReadOnly = (value: 'on' | 'off') =>
    sql`alter database ${name} set default_transaction_read_only = ${sql.raw(value)}`.execute(database.db)
  await setReadOnly('on')
  await both('select 1') // two connections that take no writes
  expect(await takesWrites(db)).toBe(false)
  await sql`set default_transaction_read_only = off`.execute(database.db)
  await setReadOnly('off')

  const refused = await sql`insert into written values (1)`.execute(db).catch((error: unknown) => error)
  expect(isUnavailable(refused)).toBe(true)
  await both('insert into written values (1)')
  expect(await takesWrites(db)).toBe(true)
  await db.destroy()
})
