import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkInvariants } from '../../../src/db/queries/doctor/doctor.ts'
import { recomputeMetrics } from '../../../src/services/metrics/roll-up.ts'
import { insertFinished, insertSent, openedIn, rollUpAll } from '../../fixtures/numbers.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { keepAll } from '../../fixtures/retention.ts'
import { seedCategory, seedUnit } from '../../fixtures/seed.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

let unitId: string
const database = forFile(freshDatabase)
beforeAll(async () => {
  const { db } = database
  await seedCategory(db, 'news')
  await addRecipients(db, 2)
  unitId = await seedUnit(db, 'Unit')
  await openedIn(db, unitId, 'Asia/Taipei', 3)
  const messageId = await insertSent(db, unitId)
  const subjects = await db.selectFrom('subject').select('id').execute()
  const deliveries = subjects.map(
    ({ id: subjectId }) => ({ subjectId, channel: 'chat', state: 'sent' }) as const,
  )
  const waveId = await insertFinished(db, { unitId, messageId, finishedAt: new Date(), deliveries })
  await db.updateTable('wave').set({ sent: 2 }).where('id', '=', waveId).execute()
  await rollUpAll(db)
})

/** The names of the invariants that are broken, of those about numbers. */
async function broken(): Promise<string[]> {
  const names = ['rolled-up-as-counted', 'days-add-up', 'people-have-a-day']
  const findings = await checkInvariants(database.db)
  const results = findings.filter(({ name }) => names.includes(name))
  expect(results).toHaveLength(names.length)
  return results.filter(({ ok }) => !ok).map(({ name }) => name)
}

describe('the doctor', () => {
  it('finds nothing in what was rolled up', async () => {
    expect(await broken()).toEqual([])
  })

  it.each<[string, RawBuilder<unknown>]>([
    [
      'rolled-up-as-counted',
      sql`with days as (update day_metric set sent = sent + 1 where sent > 0) update wave_metric set sent = sent + 1`,
    ],
    ['days-add-up', sql`update day_metric set read = read + 1`],
    ['people-have-a-day', sql`update contact_day set people = people - 1`],
  ])('finds what breaks %s, and carillon metrics recompute mends it', async (name, harm) => {
    const { db } = database
    await harm.execute(db)
    expect(await broken()).toEqual([name])
    await recomputeMetrics(db, 'operator:cli', keepAll, { unitId, days: 7 })
    await rollUpAll(db)
    expect(await broken()).toEqual([])
  })
})
