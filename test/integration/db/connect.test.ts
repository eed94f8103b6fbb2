import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../../../src/db/connect.ts'
import { isUnavailable } from '../../../src/db/unavailable.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

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
