import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { connect, type Db } from '../../../src/db/connect.ts'
import { eraseSubject, findMentions, recordsOf } from '../../../src/db/queries/erasure/record.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

/** An export and an erasure read the rows of one person, however many others there are. */
const database = forFile(freshDatabase)

const events = 100_000

/** A person among many whom events name, some of them alone and some with others. */
async function insertPeople(db: Db): Promise<{ id: string; uid: string }> {
  await sql`
    insert into event (source, event_id, type, occurred_at, subject_uids, data, key_id, next_try_at)
    select 'sis', n::text, 'x', now(), case n % 2 when 0 then array['p' || n % 5000] else array['p' || n % 5000, 'q'] end,
      '{}', 'k', now()
    from generate_series(1, ${events}) as n`.execute(db)
  await sql`analyze event`.execute(db)
  return db.insertInto('subject').values({ uid: 'p7' }).returning(['id', 'uid']).executeTakeFirstOrThrow()
}

/** Rows of a table that were read one by one, without an index; by table, where there are any. */
async function readWithoutIndex(db: Db, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const counted = async () => {
    const { rows } = await sql<{ name: string; scans: number; fetched: number }>`
      select pg_stat_force_next_flush(), relname as name, seq_scan as scans, coalesce(idx_scan, 0) as fetched
      from pg_stat_user_tables`.execute(database.db)
    return new Map(rows.map((row) => [row.name, row]))
  }
  const before = await counted()
  await work()
  await sql`select pg_stat_force_next_flush()`.execute(db)
  // The counts of a session arrive together, at its end at the latest.
  await db.destroy()
  return eventually(async () => {
    const after = await counted()
    expect(after.get('event')!.fetched).toBeGreaterThan(before.get('event')!.fetched)
    const scanned = [...after.values()].map(({ name, scans }) => [name, scans - before.get(name)!.scans])
    return Object.fromEntries(scanned.filter(([, scans]) => scans !== 0))
  })
}

it('events are found through their index by the planner itself, among 100,000', async () => {
  const person = await insertPeople(database.db)
  const db = connect(database.url)
  const scanned = await readWithoutIndex(db, async () => {
    expect((await findMentions(db, person)).event).toHaveLength(events / 5_000)
    await db.transaction().execute((trx) => eraseSubject(trx, person))
  })
  expect(scanned).not.toHaveProperty('event')
})

it('every table that names people has an index for it', async () => {
  const person = await insertRow(database.db, 'subject', { uid: 'p8' })
  // Tables that are nearly empty are read whole, unless there is no index to choose.
  const url = new URL(database.url)
  await sql`alter database ${sql.ref(url.pathname.slice(1))} set enable_seqscan = off`.execute(database.db)
  const db = connect(database.url)
  const scanned = await readWithoutIndex(db, async () => {
    await recordsOf(db, person.id)
    await findMentions(db, person)
    await db.transaction().execute((trx) => eraseSubject(trx, person))
  })
  expect(scanned).toEqual({})
})
