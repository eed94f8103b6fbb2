import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { connect } from '../../../src/db/connect.ts'
import { freshDatabase } from '../../harness/database.ts'

it('has the current schema', async () => {
  const { db, drop } = await freshDatabase()
  const unit = await db.selectFrom('unit').selectAll().execute()
  expect(unit).toEqual([])
  await drop()
})

it('a fresh database is not shared', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()])
  await sql`create table mine ()`.execute(one.db)
  await expect(sql`select from mine`.execute(other.db)).rejects.toThrow('does not exist')
  await one.drop()
  await other.drop()
})

it('fails the test that leaves a connection open', async () => {
  const { url, drop } = await freshDatabase()
  const forgotten = connect(url, { applicationName: 'forgotten' })
  await sql`select 1`.execute(forgotten)
  await expect(drop()).rejects.toThrow(/Connections still open.*\n.*forgotten/)
  await forgotten.destroy()
})
