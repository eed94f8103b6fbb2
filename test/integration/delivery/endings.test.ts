import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Send } from '../../../src/activities/delivery/delivery.ts'
import { finish } from '../../../src/activities/delivery/finish-wave.ts'
import { express } from '../../../src/activities/delivery/send-in-one-step.ts'
import { sendSlice } from '../../../src/activities/delivery/send-slice.ts'
import { start } from '../../../src/activities/delivery/start-wave.ts'
import { writeRows } from '../../../src/activities/delivery/write-rows.ts'
import type { Move } from '../../../src/domain/message-state.ts'
import { cancelMessage } from '../../../src/services/messages/cancel.ts'
import { pauseMessage, resumeMessage } from '../../../src/services/messages/pause.ts'
import { applyMove, lockMessage } from '../../../src/services/move.ts'
import {
  approved,
  crowd,
  detail,
  fresh,
  letLeasesEnd,
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
  shared = await makeScene(database.db)
})
beforeEach(() => {
  scene = fresh(shared)
})
afterAll(() => database.drop())

const slice = (planned: Planned) => sendOn(scene.delivery, step(), planned)
const end = (planned: Planned) => finish(scene.delivery, step(), planned.id)

/** A slice in which the provider acts and something happens before its answer arrives. */
function sliceDuring(planned: Planned, happens: () => Promise<unknown>) {
  let once: Promise<unknown> | undefined
  const send: Send = async (call) => {
    const outcome = await scene.provider.send(call)
    once ??= happens()
    await once
    return outcome
  }
  return sendOn({ ...scene.delivery, senders: { chat: send } }, step(), planned)
}

/** A move by somebody who has no verb of their own yet. */
async function move(planned: Planned, name: Move) {
  await database.db.transaction().execute(async (trx) => {
    await applyMove(trx, await lockMessage(trx, planned.id), name, { actor: 'key:key1' })
  })
}

/** The message's time is over from now on. */
async function expireNow({ id }: Planned) {
  await sql`update message set expires_at = clock_timestamp() where id = ${id}`.execute(database.db)
}

async function expectClosed(planned: Planned, state: string, counters: object) {
  expect(await end(planned)).toEqual({ more: false, closed: true })
  const { message, wave } = await detail(scene, planned)
  expect(message).toMatchObject({ state, closed_at: expect.any(Date), next_look_at: null })
  expect(wave).toMatchObject({ finished_at: expect.any(Date), ...counters })
  await expectAccounted(scene, planned)
}

describe('a pause', () => {
  it('comes after the batch in flight, and the rest is sent after the resume', async () => {
    const planned = await sending(scene, await crowd(database.db, 10))
    const { services } = scene
    const paused = await sliceDuring(planned, () => pauseMessage(services, scene.editor, planned.id))
    expect(paused).toMatchObject({ more: false, counts: { done: 1 } })
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 0 } })
    expect(await end(planned)).toEqual({ more: false, closed: false })
    expect(scene.provider.journal).toHaveLength(1)

    await resumeMessage(services, scene.editor, planned.id)
    await slice(planned)
    await expectClosed(planned, 'sent', { state: 'sent', sent: 10 })
  })

  it('while rows are written lets them stand', async () => {
    const planned = await approved(scene, await crowd(database.db, 10))
    await start(scene.delivery, planned.id)
    await pauseMessage(scene.services, scene.editor, planned.id)
    await writeRows(scene.delivery, step(), planned.waveId)
    expect((await detail(scene, planned)).wave).toMatchObject({ state: 'paused', expected: 10 })
    await resumeMessage(scene.services, scene.editor, planned.id)
    await slice(planned)
    await expectClosed(planned, 'sent', { sent: 10 })
  })
})

describe('a cancel', () => {
  it('before the first claim skips everybody and gives the quota back', async () => {
    const planned = await sending(scene, await crowd(database.db, 1_100))
    await cancelMessage(scene.services, scene.editor, planned.id)
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 0 } })
    await expectClosed(planned, 'cancelled', { state: 'cancelled', skipped: { cancelled: 1_100 } })
    expect(scene.provider.tries).toHaveLength(0)
  })

  it('before the rows are written leaves none', async () => {
    const planned = await approved(scene, await crowd(database.db, 10))
    await start(scene.delivery, planned.id)
    await cancelMessage(scene.services, scene.editor, planned.id)
    await writeRows(scene.delivery, step(), planned.waveId)
    await expectClosed(planned, 'cancelled', { state: 'cancelled', expected: null })
  })

  it('after the first claim is refused', async () => {
    const planned = await sending(scene, await crowd(database.db, 10))
    const refused = sliceDuring(planned, () =>
      expect(cancelMessage(scene.services, scene.editor, planned.id)).rejects.toMatchObject({
        code: 'invalid_transition',
      }),
    )
    expect(await refused).toMatchObject({ counts: { done: 2 } })
    await expectClosed(planned, 'sent', { sent: 10 })
  })

  it('and claims at the same moment: either nobody is told or the cancel is refused', async () => {
    for (let n = 0; n < 25; n++) {
      scene = fresh(shared)
      const planned = await sending(scene, await crowd(database.db, 4))
      const [cancelled] = await Promise.allSettled([
        cancelMessage(scene.services, scene.editor, planned.id),
        slice(planned),
        slice(planned),
      ])
      const state = cancelled.status === 'fulfilled' ? 'cancelled' : 'sent'
      if (state === 'cancelled') expect(scene.provider.tries).toHaveLength(0)
      await expectClosed(planned, state, {})
    }
  })
})

describe('a stop', () => {
  it('lets the batch in flight finish and skips the rest', async () => {
    const planned = await sending(scene, await crowd(database.db, 2_000))
    const stopped = await sliceDuring(planned, async () => {
      await move(planned, 'stop')
      expect(await end(planned)).toEqual({ more: true, closed: false }) // for a batch is in flight
    })
    expect(stopped).toMatchObject({ more: false, counts: { done: 1 } })
    await expectClosed(planned, 'stopped', { state: 'stopped', sent: 500, skipped: { stopped: 1_500 } })
  })

  it('leaves unknown whom a lost worker may have told', async () => {
    const planned = await sending(scene, await crowd(database.db, 10))
    const dying: Send = async (call) => {
      await scene.provider.send(call)
      throw new Error('killed')
    }
    const delivery = { ...scene.delivery, senders: { chat: dying } }
    await expect(sendSlice(delivery, step(), planned.waveId, 'chat')).rejects.toThrow('killed')
    await move(planned, 'stop')
    expect(await end(planned)).toEqual({ more: true, closed: false })
    await letLeasesEnd(scene, planned)
    await expectClosed(planned, 'stopped', { unknown: 5, skipped: { stopped: 5 } })
    expect(scene.provider.journal).toHaveLength(1)
  })
})

describe('an expiry', () => {
  it('in the middle of a wave ends it with those who were told', async () => {
    const planned = await sending(scene, await crowd(database.db, 10))
    expect(await sliceDuring(planned, () => expireNow(planned))).toMatchObject({ more: false })
    await expectClosed(planned, 'sent', { state: 'sent', sent: 5, skipped: { expired: 5 } })
    expect(scene.provider.journal).toHaveLength(1)
  })

  it('before anybody was told expires the message', async () => {
    const planned = await sending(scene, await crowd(database.db, 10))
    await expireNow(planned)
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 0 } })
    await expectClosed(planned, 'expired', { state: 'expired', skipped: { expired: 10 } })
  })

  it('before the rows are written expires it as a whole', async () => {
    const planned = await approved(scene, await crowd(database.db, 10))
    await start(scene.delivery, planned.id)
    await expireNow(planned)
    await expectClosed(planned, 'expired', { state: 'expired', expected: null })
  })

  it('while paused skips the rest', async () => {
    const planned = await sending(scene, await crowd(database.db, 10))
    await sliceDuring(planned, () => pauseMessage(scene.services, scene.editor, planned.id))
    await expireNow(planned)
    await move(planned, 'expire')
    await expectClosed(planned, 'expired', { state: 'expired', sent: 5, skipped: { expired: 5 } })
  })

  it('lets nothing start', async () => {
    const planned = await approved(scene, await crowd(database.db, 10))
    await expireNow(planned)
    expect(await start(scene.delivery, planned.id)).toEqual({ started: false })
    expect(await express(scene.delivery, step(), planned.id, 'chat')).toMatchObject({ closed: false })
  })
})

describe('asked too early, the end', () => {
  it('leaves a message as it is', async () => {
    const planned = await approved(scene, await crowd(database.db, 10))
    expect(await end(planned)).toEqual({ more: false, closed: false })
    await start(scene.delivery, planned.id)
    expect(await end(planned)).toEqual({ more: false, closed: false })
    await writeRows(scene.delivery, step(), planned.waveId)
    expect(await end(planned)).toEqual({ more: false, closed: false })
    await slice(planned)
    await expectClosed(planned, 'sent', { sent: 10 })
    expect(await end(planned)).toEqual({ more: false, closed: true })
  })
})
