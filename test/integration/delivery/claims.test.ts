import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sendSlice } from '../../../src/activities/delivery/send-slice.ts'
import { forScriptedSends } from '../../fixtures/delivery.ts'
import { activityAttempt, finishActiveWave, sendSlices } from '../../fixtures/delivery-steps.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { selectRow } from '../../fixtures/rows.ts'
import { byCall, type Send } from '../../fixtures/senders.ts'
import { expireLeases, type PlannedSend, rowsOf, startedSend } from '../../fixtures/sends.ts'
import { readClock } from '../../harness/clock.ts'
import { expectAccounted } from './accounting.ts'

const { database, fixture } = forScriptedSends()

/** A worker that dies at its next call, before or after the provider has acted on it. */
async function dyingSlice(
  planned: PlannedSend,
  when: 'before' | 'after',
  activity = activityAttempt(),
): Promise<void> {
  const send: Send = async (call) => {
    if (when === 'after') await fixture.provider.send(call)
    throw new Error('killed')
  }
  const delivery = { ...fixture.delivery, senders: { chat: byCall(send) } }
  await expect(sendSlice(delivery, activity, planned.waveId, 'chat')).rejects.toThrow('killed')
}

const slice = (planned: PlannedSend, activity = activityAttempt()) =>
  sendSlices(fixture.delivery, activity, planned)

async function expectAllSent(planned: PlannedSend, people: number): Promise<void> {
  expect(await finishActiveWave(fixture, planned)).toEqual({ more: false, closed: true })
  expect((await rowsOf(fixture, planned)).wave).toMatchObject({ state: 'sent', sent: people })
  await expectAccounted(fixture, planned)
}

describe('claims', () => {
  it('let lanes send in parallel without sending to a recipient twice', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 4_100))
    fixture.provider.delay(5)
    await Promise.all([1, 2, 3, 4].map(() => slice(planned)))
    expect(fixture.provider.tries).toHaveLength(10)
    await expectAllSent(planned, 4_100)
  })

  it.each(['before', 'after'] as const)(
    'of a worker that died %s its call are taken over at once by the next attempt',
    async (when) => {
      const planned = await startedSend(fixture, await addRecipients(database.db, 10))
      const activity = activityAttempt()
      await dyingSlice(planned, when, activity)
      expect(await slice(planned, { ...activity, attempt: 2 })).toMatchObject({ counts: { done: 2 } })
      await expectAllSent(planned, 10)
    },
  )

  it('of another run are waited for until their lease expires', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 1))
    const claimed = await readClock(database.db)
    await dyingSlice(planned, 'after')
    const { lease_until: until } = await selectRow(database.db, 'batch', { wave_id: planned.waveId }, [
      'lease_until',
    ])
    expect(until!.getTime()).toBeGreaterThanOrEqual(claimed + 20_000)
    const leftMs = until!.getTime() - (await readClock(database.db))
    const later = await slice(planned, activityAttempt({ runId: 'another run' }))
    expect(later).toMatchObject({ more: true, counts: { done: 0 } })
    expect(later.waitMs).toBeLessThanOrEqual(leftMs + 2) // neither time is a whole number of milliseconds
    expect(later.waitMs).toBeGreaterThanOrEqual(until!.getTime() - (await readClock(database.db)))

    await expireLeases(fixture, planned)
    await slice(planned, activityAttempt({ runId: 'another run' }))
    await expectAllSent(planned, 1)
  })

  it('of another lane of this run are left to that lane', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 1))
    await dyingSlice(planned, 'before')
    expect(await slice(planned)).toMatchObject({ more: false, waitMs: 0 })
  })

  it('repeat a call under its key, with its members, whatever has changed about them', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 9))
    const activity = activityAttempt()
    await dyingSlice(planned, 'after', activity)
    const [first] = fixture.provider.tries
    await database.db.updateTable('address').set({ blocked_at: new Date() }).execute()
    await slice(planned, { ...activity, attempt: 2 })
    await database.db.updateTable('address').set({ blocked_at: null }).execute()
    expect(fixture.provider.tries[1]).toMatchObject({ to: first!.to, retryKey: first!.retryKey })
    const { wave } = await rowsOf(fixture, planned)
    expect(wave).toMatchObject({ sent: first!.to.length, skipped: { blocked: 9 - first!.to.length } })
    await expectAccounted(fixture, planned)
  })

  it('that were lost write nothing, however late their holder continues', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 1))
    const activity = activityAttempt()
    const asleep = Promise.withResolvers<void>()
    const send: Send = async (call) => {
      const outcome = await fixture.provider.send(call)
      await asleep.promise
      return outcome
    }
    const sleeper = sendSlice(
      { ...fixture.delivery, senders: { chat: byCall(send) } },
      activity,
      planned.waveId,
      'chat',
    )
    while (fixture.provider.tries.length === 0) await sleep(5)
    await slice(planned, { ...activity, attempt: 2 })
    asleep.resolve()
    expect(await sleeper).toMatchObject({ counts: { done: 0, lost: 1 } })
    expect(fixture.provider.tries).toHaveLength(2)
    await expectAllSent(planned, 1)
  })

  it('end with the worker: a drained slice starts no other batch', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 10))
    const send: Send = (call) => {
      fixture.drain.draining = true
      return fixture.provider.send(call)
    }
    const drained = await sendSlice(
      { ...fixture.delivery, senders: { chat: byCall(send) } },
      activityAttempt(),
      planned.waveId,
      'chat',
    )
    expect(drained).toMatchObject({ more: true, waitMs: 0, counts: { done: 1 } })
    fixture.drain.draining = false
    await slice(planned)
    await expectAllSent(planned, 10)
  })

  it('whose call cannot start any more leave nothing behind', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 1))
    let asks = 0
    const waitMs = () => (asks++ < 2 ? 0 : 1_000) // a pause is requested while the call is stored
    const breaker = { ...fixture.delivery.breaker, waitMs }
    const held = await sendSlice({ ...fixture.delivery, breaker }, activityAttempt(), planned.waveId, 'chat')
    expect(held).toMatchObject({ more: true, counts: { again: 1 } })
    expect(fixture.provider.tries).toHaveLength(0)
    const calls = database.db.selectFrom('call').select('call_number').where('wave_id', '=', planned.waveId)
    expect(await calls.execute()).toEqual([])
    await slice(planned)
    await expectAllSent(planned, 1)
  })

  it('continue while a provider is slow, with counts only', async () => {
    const planned = await startedSend(fixture, await addRecipients(database.db, 1))
    const beats: unknown[] = []
    const beaten = Promise.withResolvers<void>()
    const heartbeat = (counts: object) => {
      if (beats.push({ ...counts }) === 2) beaten.resolve()
    }
    const send: Send = async (call) => {
      await beaten.promise // else the provider never answers
      return fixture.provider.send(call)
    }
    const delivery = { ...fixture.delivery, senders: { chat: byCall(send) } }
    await sendSlice(delivery, activityAttempt({ heartbeat }), planned.waveId, 'chat')
    const underWay = { done: 0, halved: 0, again: 0, lost: 0, calls: 1 }
    expect(beats.slice(0, 2)).toEqual([underWay, underWay])
    await expectAllSent(planned, 1)
  })
})
