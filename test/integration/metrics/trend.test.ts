import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { insertFinished, insertSent, openedIn, rollUpAll, zoneAtNoon } from '../../fixtures/numbers.ts'
import { forFile } from '../../harness/for-file.ts'

/** The day before is closed only some minutes after midnight. */
const timeZone = zoneAtNoon()
let subjects: string[]
const api = forFile(startApi)
beforeAll(async () => {
  const { db } = api.database
  await openedIn(db, api.units.a, timeZone, 10)
  subjects = (await db.selectFrom('subject').select('id').orderBy('uid').execute()).map(({ id }) => id)
})

const trend = (query: Record<string, string> = {}, as: object = { key: api.keys.a }) =>
  api.call('getTrend', { ...as, query })

/** Noon of the unit, `days` days ago. */
async function noon(days: number): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select (((now() at time zone ${timeZone})::date - ${days}::int) + time '12:00') at time zone ${timeZone} as at
  `.execute(api.database.db)
  return rows[0]!.at
}

describe('the trend', () => {
  it('has a point for each day that is over, oldest first, and none for today', async () => {
    const { db } = api.database
    expect((await trend()).body).toEqual({ points: [] })
    for (const [days, recipients] of [
      [2, subjects],
      [2, subjects.slice(0, 1)],
      [0, subjects],
    ] as const) {
      const messageId = await insertSent(db, api.units.a)
      const deliveries = recipients.map(
        (subjectId) => ({ subjectId, channel: 'chat', state: 'sent' }) as const,
      )
      await insertFinished(db, { unitId: api.units.a, messageId, finishedAt: await noon(days), deliveries })
    }
    await rollUpAll(db)
    const { body } = await trend({ days: '3' })
    const dates = await Promise.all([3, 2, 1].map(noon))
    const nothing = { sent: 0, people: 0, reached: 0, read: 0, blocked: 0, unsubscribes: 0, handoffs: 0 }
    const point = { ...nothing, answers: 0, completed: 0 }
    expect(body.points).toEqual([
      { ...point, date: dates[0]!.toISOString().slice(0, 10) },
      { ...point, date: dates[1]!.toISOString().slice(0, 10), sent: 4, people: 3, reached: 4 },
      { ...point, date: dates[2]!.toISOString().slice(0, 10) },
    ])
    expect((await trend({ days: '366' })).body.points).toHaveLength(10)
  })

  it('is for keys of the unit and its approvers', async () => {
    expect((await trend({ unitId: api.units.a })).body.points.length).toBeGreaterThan(0)
    expect((await trend({}, { session: api.sessions.approver })).body.points.length).toBeGreaterThan(0)
    expect(await trend({ unitId: api.units.b })).toMatchObject({ status: 404, code: 'not_found' })
    expect(await trend({ unitId: 'none' })).toMatchObject({ status: 404, code: 'not_found' })
    expect(await trend({}, { session: api.sessions.editor })).toMatchObject({
      status: 403,
      code: 'forbidden',
    })
    const elsewhere = { session: api.sessions.otherApprover }
    expect(await trend({ unitId: api.units.a }, elsewhere)).toMatchObject({ status: 403, code: 'forbidden' })
    const several = { session: api.sessions.twoUnits }
    expect(await trend({}, several)).toMatchObject({ status: 403, code: 'unit_required' })
  })

  it.each(['0', '367', '1.5', 'all'])('takes 1 to 366 days, not %s', async (days) => {
    expect(await trend({ days })).toMatchObject({ status: 400, code: 'validation_error' })
  })
})
