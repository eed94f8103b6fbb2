import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkInvariants } from '../../../src/db/queries/doctor/doctor.ts'
import { eraseSubject, findMentions } from '../../../src/db/queries/erasure/record.ts'
import { purgeSlice } from '../../../src/services/retention.ts'
import { keepAll } from '../../fixtures/retention.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { insertSchedule, occurrencesOf, scheduleRow } from '../../fixtures/schedule-rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)
beforeEach(async () => {
  await sql`truncate schedule, occurrence cascade`.execute(database.db)
})

const day = 86_400_000
const first = Date.parse('2026-11-20T01:00:00Z')

/** A daily schedule with three occurrences, of which the last is the newest. */
async function withOccurrences(): Promise<string> {
  const { db } = database
  const columns = { next_at: new Date(first + 3 * day) }
  const id = await insertSchedule(db, { columns })
  for (const days of [0, 1, 2]) {
    const at = new Date(first + days * day)
    const next_at = new Date(first + (days + 1) * day)
    const row = { schedule_id: id, key: at.toISOString(), due_at: at, at, next_at, plan: 1 }
    await insertRow(db, 'occurrence', { ...row, outcome: 'missed', reason: 'late' })
  }
  return id
}

describe('the doctor', () => {
  const broken = async () =>
    (await checkInvariants(database.db))
      .filter(({ ok, name }) => !ok && name.startsWith('occurrences'))
      .flatMap(({ name, violations }) => violations.map((text) => `${name}: ${text}`))

  it('finds nothing wrong with occurrences that follow each other, or after a change of the schedule', async () => {
    const id = await withOccurrences()
    expect(await broken()).toEqual([])
    await sql`update schedule set plan = 2, next_at = now() where id = ${id}`.execute(database.db)
    expect(await broken()).toEqual([])
  })

  it('names a schedule that forgot an occurrence', async () => {
    const id = await withOccurrences()
    await sql`delete from occurrence where due_at = ${new Date(first + day)}`.execute(database.db)
    expect(await broken()).toEqual([
      expect.stringContaining(`occurrences-follow: schedule ${id}: after what was due`),
    ])
  })

  it('names a schedule that is due at another time than it was to be', async () => {
    const id = await withOccurrences()
    await sql`update schedule set next_at = ${new Date(first + 4 * day)}`.execute(database.db)
    expect(await broken()).toEqual([expect.stringContaining(`occurrences-follow: schedule ${id}: due at`)])
  })

  it('names a message that a schedule made beside its occurrences', async () => {
    const id = await withOccurrences()
    await sql`
      insert into message (unit_id, origin, category_id, title, audience, channel_plan, created_by)
      select unit_id, 'schedule', category_id, '{}', '{"kind":"all"}', '{}', ${`schedule:${id}`} from schedule
    `.execute(database.db)
    expect(await broken()).toEqual([expect.stringContaining(`occurrences-once: schedule ${id}: message`)])
    await sql`delete from message`.execute(database.db)
  })
})

describe('retention', () => {
  const retention = { ...keepAll, RETENTION_WORK_DAYS: 30, RETENTION_MESSAGES_DAYS: 90 }

  it('purges the oldest occurrences, and keeps the newest of each schedule', async () => {
    const id = await withOccurrences()
    await sql`update occurrence set at = now() - interval '31 days'`.execute(database.db)
    expect(await purgeSlice(database.db, retention, new Map())).toMatchObject({
      occurrences: 2,
      schedules: 0,
    })
    const [left, ...others] = await occurrencesOf(database.db, id)
    expect([left!.due_at, others]).toEqual([new Date(first + 2 * day), []])
  })

  it('purges schedules that have been over for long, with their occurrences', async () => {
    await withOccurrences()
    const over = sql`update schedule set state = 'finished', next_at = null, closed_at = now() - interval '91 days'`
    await over.execute(database.db)
    expect(await purgeSlice(database.db, retention, new Map())).toMatchObject({ schedules: 1 })
    expect(await database.db.selectFrom('occurrence').select('id').execute()).toEqual([])
  })
})

describe('a person', () => {
  const individual = (...uids: string[]) => ({ message: { audience: { kind: 'individual' as const, uids } } })
  const newSubject = async (uid: string) =>
    database.db.insertInto('subject').values({ uid }).returning(['id', 'uid']).executeTakeFirstOrThrow()

  it('gets the schedules that name them in an export, with the text of those to them alone', async () => {
    const person = await newSubject('b1')
    const alone = await insertSchedule(database.db, individual('b1'))
    const among = await insertSchedule(database.db, individual('b1', 'b2'))
    await insertSchedule(database.db, individual('b2'))
    const { schedule } = await findMentions(database.db, person)
    const rows = schedule!.map((row) => JSON.parse(row) as { id: string; message: object | null })
    expect(rows.map(({ id, message }) => [id, message !== null]).sort()).toEqual(
      [
        [alone, true],
        [among, false],
      ].sort(),
    )
  })

  it('is taken out of schedules by an erasure, which deletes those for them alone', async () => {
    const person = await newSubject('b3')
    const alone = await insertSchedule(database.db, individual('b3'))
    const among = await insertSchedule(database.db, individual('b3', 'b4'))
    await database.db.transaction().execute((trx) => eraseSubject(trx, person))
    expect(await scheduleRow(database.db, alone)).toMatchObject({
      state: 'deleted',
      message: {},
      next_at: null,
    })
    expect((await scheduleRow(database.db, among)).message).toMatchObject({
      audience: { uids: ['erased subject', 'b4'] },
    })
  })
})
