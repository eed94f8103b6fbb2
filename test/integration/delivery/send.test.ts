import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { express } from '../../../src/activities/delivery/express.ts'
import { finish } from '../../../src/activities/delivery/finish.ts'
import { writeRows } from '../../../src/activities/delivery/rows.ts'
import { sendSlice } from '../../../src/activities/delivery/slice.ts'
import { start } from '../../../src/activities/delivery/start.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { approved, crowd, detail, fresh, makeScene, type Scene, step } from './world.ts'

let database: FreshDatabase
let shared: Scene
beforeAll(async () => {
  database = await freshDatabase()
  shared = await makeScene(database.db)
})
afterAll(() => database.drop())

describe('sending a message', () => {
  it('goes from its send time to its end, and tells everybody once', async () => {
    const scene = fresh(shared)
    const planned = await approved(scene, await crowd(database.db, 1_200))
    expect(await start(scene.delivery, planned.id)).toEqual({ started: true })
    await writeRows(scene.delivery, step(), planned.waveId)
    const slice = await sendSlice(scene.delivery, step(), planned.waveId, 'chat')
    expect(slice).toMatchObject({ more: false, counts: { done: 4 } })
    expect(await finish(scene.delivery, step(), planned.id)).toEqual({ more: false, closed: true })
    const { message, wave } = await detail(scene, planned)
    expect(message).toMatchObject({ state: 'sent', closed_at: expect.any(Date), next_look_at: null })
    expect(wave).toMatchObject({ state: 'sent', expected: 1_200, sent: 1_200 })
  })

  it('sends to few in one activity', async () => {
    const scene = fresh(shared)
    const planned = await approved(scene, await crowd(database.db, 3))
    expect(await express(scene.delivery, step(), planned.id, 'chat')).toEqual({
      more: false,
      waitMs: 0,
      closed: true,
    })
    expect(scene.provider.journal.map(({ to }) => to.length).sort()).toEqual([1, 2])
  })
})
