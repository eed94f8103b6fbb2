import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { finish } from '../../../src/activities/delivery/finish-wave.ts'
import { start } from '../../../src/activities/delivery/start-wave.ts'
import { writeRows } from '../../../src/activities/delivery/write-rows.ts'
import {
  approved,
  crowd,
  detail,
  fresh,
  join,
  makeScene,
  type Planned,
  type Scene,
  sending,
  sendOn,
  step,
} from '../../fixtures/delivery.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { expectAccounted } from './accounting.ts'

let database: FreshDatabase
let shared: Scene
let scene: Scene
beforeAll(async () => {
  database = await freshDatabase()
  shared = await makeScene(database.db, 0)
})
beforeEach(async () => {
  scene = fresh(shared)
  await sql`update quota_ledger set monthly_limit = 1000 where scope <> 'pool'`.execute(database.db)
})
afterAll(() => database.drop())

const slice = (planned: Planned) => sendOn(scene.delivery, step(), planned)
const rows = (planned: Planned) => writeRows(scene.delivery, step(), planned.waveId)

/** From now on the unit has this much left, and the pool nothing. */
async function leave(pushes: number): Promise<void> {
  await sql`update quota_ledger set monthly_limit = reserved + committed + ${pushes}::int where scope <> 'pool'`.execute(
    database.db,
  )
}

async function probeNow({ waveId }: Planned): Promise<void> {
  await database.db.updateTable('wave').set({ probe_at: new Date() }).where('id', '=', waveId).execute()
}

async function expectSent(planned: Planned, sent: number): Promise<void> {
  expect(await finish(scene.delivery, step(), planned.id)).toEqual({ more: false, closed: true })
  expect((await detail(scene, planned)).wave).toMatchObject({ state: 'sent', sent })
  await expectAccounted(scene, planned)
}

describe('quota that is short', () => {
  it('at the start takes the message back to review', async () => {
    const tag = await crowd(database.db, 3)
    const planned = await approved(scene, tag)
    await join(database.db, tag, 2)
    await leave(1)
    expect(await start(scene.delivery, planned.id)).toEqual({ started: false })
    const { message } = await detail(scene, planned)
    expect(message).toMatchObject({ state: 'submitted', review_drift: true })
    expect(message.snapshot?.quota.chat).toMatchObject({ estimatedPushes: 5, wouldExceed: true })
    await expectAccounted(scene, planned)
  })

  it('when the rows are written parks the wave before anybody is told, until there is enough', async () => {
    const tag = await crowd(database.db, 3)
    const planned = await approved(scene, tag)
    await start(scene.delivery, planned.id)
    await join(database.db, tag, 1)
    await leave(0)
    await rows(planned)
    expect(await detail(scene, planned)).toMatchObject({
      message: { state: 'sending', problem: 'quota' },
      wave: { expected: 4, parked: 'quota' },
    })
    const parked = await slice(planned)
    expect(parked).toMatchObject({ more: true, counts: { done: 0 } })
    expect(parked.waitMs).toBeGreaterThan(0)
    await probeNow(planned)
    expect(await slice(planned)).toMatchObject({ more: true, counts: { done: 0 } })
    expect(scene.provider.tries).toHaveLength(0)

    await leave(1)
    await probeNow(planned)
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 2 } })
    await expectSent(planned, 4)
  })
})

describe('a wave that goes on in a later month', () => {
  it('takes what is left of its reservation there; what was spent stays', async () => {
    const planned = await sending(scene, await crowd(database.db, 10))
    const { month } = (await detail(scene, planned)).wave
    const earlier = await moveEverythingBack(month)
    await slice(planned)
    await expectSent(planned, 10)
    expect((await detail(scene, planned)).wave.month).toBe(month)
    const accounts = await database.db
      .selectFrom('quota_reservation')
      .select(['month', 'unit_reserved', 'unit_committed'])
      .where('wave_id', '=', planned.waveId)
      .orderBy('month')
      .execute()
    expect(accounts).toEqual([
      { month: earlier, unit_reserved: 0, unit_committed: 0 },
      { month, unit_reserved: 0, unit_committed: 10 },
    ])
  })

  /** As if all this had happened a month ago. */
  async function moveEverythingBack(month: string): Promise<string> {
    const { db } = database
    for (const table of ['wave', 'quota_ledger', 'quota_reservation'] as const)
      await sql`update ${sql.table(table)} set month = month - interval '1 month'`.execute(db)
    const { rows: found } = await sql<{ month: string }>`
      select (${month}::date - interval '1 month')::date as month
    `.execute(db)
    return found[0]!.month
  }
})
