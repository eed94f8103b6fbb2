import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { finishWave } from '../../../src/activities/delivery/finish-wave.ts'
import { reserveQuota } from '../../../src/activities/delivery/reserve-quota.ts'
import { sendSlice } from '../../../src/activities/delivery/send-slice.ts'
import { sendSmallWave } from '../../../src/activities/delivery/send-small-wave.ts'
import { startWave } from '../../../src/activities/delivery/start-wave.ts'
import { writeDeliveries } from '../../../src/activities/delivery/write-deliveries.ts'
import type { Move } from '../../../src/contract/enums.ts'
import { applyMove, lockMessage } from '../../../src/services/messages/move.ts'
import { cancelMessage, pauseMessage, resumeMessage } from '../../../src/services/messages/transitions.ts'
import { forSends, type ScriptedDelivery, withScriptedProvider } from '../../fixtures/delivery.ts'
import { activityAttempt, sendSlices } from '../../fixtures/delivery-steps.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { byCall, type Send } from '../../fixtures/senders.ts'
import { approvedSend, expireLeases, type PlannedSend, rowsOf, startedSend } from '../../fixtures/sends.ts'
import { expectAccounted } from './accounting.ts'

let fixture: ScriptedDelivery
const { database, shared } = forSends()
beforeEach(() => {
  fixture = withScriptedProvider(shared)
})

const reserve = (planned: PlannedSend) => reserveQuota(fixture.delivery, activityAttempt(), planned.id)
const slice = (planned: PlannedSend) => sendSlices(fixture.delivery, activityAttempt(), planned)
const end = (planned: PlannedSend) => finishWave(fixture.delivery, activityAttempt(), planned.id)

/** A slice in which the provider acts and something happens before its answer arrives. */
function sliceDuring(planned: PlannedSend, happens: () => Promise<unknown>) {
  let once: Promise<unknown> | undefined
  const send: Send = async (call) => {
    const outcome = await fixture.provider.send(call)
    once ??= happens()
    await once
    return outcome
  }
  return sendSlices({ ...fixture.delivery, senders: { chat: byCall(send) } }, activityAttempt(), planned)
}

/** A move without a verb in the API. */
async function move(planned: PlannedSend, name: Move) {
  await database.db.transaction().execute(async (trx) => {
    await applyMove(trx, await lockMessage(trx, planned.id), name, { actor: 'key:key1' })
  })
}

/** Makes the message expire now. */
async function expireNow({ id }: PlannedSend) {
  await sql`update message set expires_at = clock_timestamp() where id = ${id}`.execute(database.db)
}

async function expectClosed(planned: PlannedSend, state: string, counters: object) {
  expect(await end(planned)).toEqual({ more: false, closed: true })
  const { message, wave } = await rowsOf(fixture, planned)
  expect(message).toMatchObject({ state, closed_at: expect.any(Date), next_wakeup_at: null })
  expect(wave).toMatchObject({ finished_at: expect.any(Date), ...counters })
  await expectAccounted(fixture, planned)
}

describe('a pause', () => {
  it('takes effect after the batch in flight, and the rest is sent after the resume', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 10))
    const { services } = fixture
    const paused = await sliceDuring(planned, () => pauseMessage(services, fixture.editor, planned.id))
    expect(paused).toMatchObject({ more: false, counts: { done: 1 } })
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 0 } })
    expect(await end(planned)).toEqual({ more: false, closed: false })
    expect(fixture.provider.journal).toHaveLength(1)

    await resumeMessage(services, fixture.editor, planned.id)
    await slice(planned)
    await expectClosed(planned, 'sent', { state: 'sent', sent: 10 })
  })

  it('while rows are written keeps them', async () => {
    const planned = await approvedSend(fixture, await addRecipients(database.db, 10))
    await startWave(fixture.delivery, planned.id)
    await pauseMessage(fixture.services, fixture.editor, planned.id)
    await writeDeliveries(fixture.delivery, planned.waveId)
    expect((await rowsOf(fixture, planned)).wave).toMatchObject({ state: 'paused', expected: 10 })
    await reserve(planned)
    await resumeMessage(fixture.services, fixture.editor, planned.id)
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 0 } })
    await reserve(planned)
    await slice(planned)
    await expectClosed(planned, 'sent', { sent: 10 })
  })
})

describe('a cancel', () => {
  it('before the first claim skips everyone and releases the quota', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 1_100))
    await cancelMessage(fixture.services, fixture.editor, planned.id)
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 0 } })
    await expectClosed(planned, 'cancelled', { state: 'cancelled', skipped: { cancelled: 1_100 } })
    expect(fixture.provider.tries).toHaveLength(0)
  })

  it('before the deliveries are written leaves none', async () => {
    const planned = await approvedSend(fixture, await addRecipients(database.db, 10))
    await startWave(fixture.delivery, planned.id)
    await cancelMessage(fixture.services, fixture.editor, planned.id)
    await writeDeliveries(fixture.delivery, planned.waveId)
    await expectClosed(planned, 'cancelled', { state: 'cancelled', expected: null })
  })

  it('after the first claim is rejected', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 10))
    const refused = sliceDuring(planned, () =>
      expect(cancelMessage(fixture.services, fixture.editor, planned.id)).rejects.toMatchObject({
        code: 'invalid_transition',
      }),
    )
    expect(await refused).toMatchObject({ counts: { done: 2 } })
    await expectClosed(planned, 'sent', { sent: 10 })
  })

  it('and simultaneous claims: either no recipient is sent to or the cancel is rejected', async () => {
    for (let n = 0; n < 25; n++) {
      fixture = withScriptedProvider(shared)
      const planned = await startedSend(fixture, await addRecipients(database.db, 4))
      const [cancelled] = await Promise.allSettled([
        cancelMessage(fixture.services, fixture.editor, planned.id),
        slice(planned),
        slice(planned),
      ])
      const state = cancelled.status === 'fulfilled' ? 'cancelled' : 'sent'
      if (state === 'cancelled') expect(fixture.provider.tries).toHaveLength(0)
      await expectClosed(planned, state, {})
    }
  })
})

describe('a stop', () => {
  it('lets the batch in flight finish and skips the rest', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 2_000))
    const stopped = await sliceDuring(planned, async () => {
      await move(planned, 'stop')
      expect(await end(planned)).toEqual({ more: true, closed: false }) // a batch is in flight
    })
    expect(stopped).toMatchObject({ more: false, counts: { done: 1 } })
    await expectClosed(planned, 'stopped', { state: 'stopped', sent: 500, skipped: { stopped: 1_500 } })
  })

  it('leaves unknown those to whom a lost worker may have sent', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 10))
    const dyingSend: Send = async (call) => {
      await fixture.provider.send(call)
      throw new Error('killed')
    }
    const delivery = { ...fixture.delivery, senders: { chat: byCall(dyingSend) } }
    await expect(sendSlice(delivery, activityAttempt(), planned.waveId, 'chat')).rejects.toThrow('killed')
    await move(planned, 'stop')
    expect(await end(planned)).toEqual({ more: true, closed: false })
    await expireLeases(fixture, planned)
    await expectClosed(planned, 'stopped', { unknown: 5, skipped: { stopped: 5 } })
    expect(fixture.provider.journal).toHaveLength(1)
  })
})

describe('an expiry', () => {
  it('in the middle of a wave ends it with those who were sent to', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 10))
    expect(await sliceDuring(planned, () => expireNow(planned))).toMatchObject({ more: false })
    await expectClosed(planned, 'sent', { state: 'sent', sent: 5, skipped: { expired: 5 } })
    expect(fixture.provider.journal).toHaveLength(1)
  })

  it('before anything was sent expires the message', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 10))
    await expireNow(planned)
    expect(await slice(planned)).toMatchObject({ more: false, counts: { done: 0 } })
    await expectClosed(planned, 'expired', { state: 'expired', skipped: { expired: 10 } })
  })

  it('before the rows are written expires it as a whole', async () => {
    const planned = await approvedSend(fixture, await addRecipients(database.db, 10))
    await startWave(fixture.delivery, planned.id)
    await expireNow(planned)
    await expectClosed(planned, 'expired', { state: 'expired', expected: null })
  })

  it('while paused skips the rest', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 10))
    await sliceDuring(planned, () => pauseMessage(fixture.services, fixture.editor, planned.id))
    await expireNow(planned)
    await move(planned, 'expire')
    await expectClosed(planned, 'expired', { state: 'expired', sent: 5, skipped: { expired: 5 } })
  })

  it('prevents a start', async () => {
    const planned = await approvedSend(fixture, await addRecipients(database.db, 10))
    await expireNow(planned)
    expect(await startWave(fixture.delivery, planned.id)).toBeNull()
    expect(await sendSmallWave(fixture.delivery, activityAttempt(), planned.id, 'chat')).toMatchObject({
      closed: false,
    })
  })
})

describe('finishing too early', () => {
  it('leaves a message unchanged', async () => {
    const planned = await approvedSend(fixture, await addRecipients(database.db, 10))
    expect(await end(planned)).toEqual({ more: false, closed: false })
    await startWave(fixture.delivery, planned.id)
    expect(await end(planned)).toEqual({ more: false, closed: false })
    await writeDeliveries(fixture.delivery, planned.waveId)
    expect(await end(planned)).toEqual({ more: false, closed: false })
    await reserve(planned)
    expect(await end(planned)).toEqual({ more: false, closed: false })
    await slice(planned)
    await expectClosed(planned, 'sent', { sent: 10 })
    expect(await end(planned)).toEqual({ more: false, closed: true })
  })
})
