import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callbackDeliver } from '../../../src/background/callback-deliver.ts'
import { pollLoop } from '../../../src/background/poll-loop.ts'
import type { Trx } from '../../../src/db/connect.ts'
import {
  type DeliverySlots,
  insertMessageChange,
  takeCallbackDeliveries,
} from '../../../src/db/queries/callback/delivery.ts'
import { markMessageClosed } from '../../../src/db/queries/message/message.ts'
import { getCallback, listCallbackDeliveries } from '../../../src/services/callbacks/callbacks.ts'
import {
  createCallback,
  deleteCallback,
  editCallback,
  rotateCallback,
} from '../../../src/services/callbacks/change.ts'
import { deliver } from '../../../src/services/callbacks/deliver.ts'
import { testCallback } from '../../../src/services/callbacks/test.ts'
import { editMessage } from '../../../src/services/messages/edit.ts'
import { cancelMessage } from '../../../src/services/messages/transitions.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { secretBox } from '../../../src/services/secret-box.ts'
import { openReceiver, type ReceivedRequest } from '../../fixtures/callback-receiver.ts'
import { createDraft, createSubmitted, forMessages } from '../../fixtures/message-fixture.ts'
import { auditRows, insertRows, updateRows } from '../../fixtures/rows.ts'
import { readClock } from '../../harness/clock.ts'
import { eventually } from '../../harness/eventually.ts'
import { holdTransaction } from '../../harness/lock-waits.ts'

const secrets = secretBox(randomBytes(32))
const outbound = openOutbound({ allow: [{ host: '127.0.0.1', port: '*' }] })
const { fixture } = forMessages()
beforeAll(async () => {
  Object.assign(fixture.services, { secrets, outbound })
})
afterAll(async () => {
  await outbound.close()
})
beforeEach(async () => {
  await fixture.db.deleteFrom('callback_delivery').execute()
  await fixture.db.deleteFrom('callback').execute()
})

type Types = Parameters<typeof createCallback>[2]['types']

async function registered(types?: Types) {
  const receiver = await openReceiver()
  const callback = await createCallback(fixture.services, fixture.producer, { url: receiver.url, types })
  return { ...receiver, id: callback.id, secret: callback.secret }
}

const parts = () => ({ ...fixture.services, secrets })
const places = { limit: 100, perCallback: 100, perUnit: 100, busy: {}, leaseSeconds: 30 }
const taking = (some: Partial<DeliverySlots>) => (trx: Trx) =>
  takeCallbackDeliveries(trx, { ...places, ...some })
const take = (some: Partial<DeliverySlots> = {}) => fixture.db.transaction().execute(taking(some))

/** Tries everything that is due, one after another. */
async function deliverDue() {
  for (let due = await take({ limit: 1 }); due.length > 0; due = await take({ limit: 1 }))
    await deliver(parts(), due[0]!)
}

const bringForward = () =>
  updateRows(fixture.db, 'callback_delivery', { outcome: 'pending' }, { next_try_at: sql<Date>`now()` })
const payloadsOf = (received: ReceivedRequest[]) => received.map(({ body }) => JSON.parse(body))
const deliveries = async (id: string) =>
  (await listCallbackDeliveries(fixture.services, fixture.producer, id, { limit: 50 })).items
const callback = (id: string) => getCallback(fixture.services, fixture.producer, id)

describe('a callback receives', () => {
  it('each change of state and the end of its unit’s messages, in order, signed', async () => {
    const { received, secret, id } = await registered()
    const reference = 'case-17'
    const messageId = await createSubmitted(fixture, { reference })
    await cancelMessage(fixture.services, fixture.producer, messageId)
    await deliverDue()
    const about = { messageId, unitId: fixture.unit.id, reference }
    expect(payloadsOf(received)).toEqual([
      {
        type: 'message.state_changed',
        timestamp: expect.any(String),
        data: { ...about, state: 'submitted', from: 'draft', version: 2 },
      },
      {
        type: 'message.state_changed',
        timestamp: expect.any(String),
        data: { ...about, state: 'cancelled', from: 'submitted', version: 3 },
      },
      {
        type: 'message.closed',
        timestamp: expect.any(String),
        data: { ...about, state: 'cancelled', version: 3, stats: null },
      },
    ])
    for (const { headers, body } of received)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body))
    const ids = received.map(({ headers }) => headers['webhook-id'])
    expect((await deliveries(id)).map((one) => one.id).reverse()).toEqual(ids)
  })

  it('the final counts, of the send and of the reminder', async () => {
    const { received } = await registered(['message.closed'])
    const messageId = await createSubmitted(fixture)
    const counters = { expected: 5, sent: 3, failed: 1, skipped: JSON.stringify({ blocked: 1 }) }
    const wave = {
      message_id: messageId,
      month: '2026-12-01',
      by_channel: JSON.stringify({ chat: counters }),
    }
    await insertRows(fixture.db, 'wave', [
      { ...wave, ...counters, state: 'sent' },
      { ...wave, number: 1, state: 'cancelled' },
    ])
    await fixture.db.transaction().execute((trx) => markMessageClosed(trx, messageId))
    await deliverDue()
    const tally = {
      ...{ sent: 3, failed: 1, unknown: 0, skipped: { blocked: 1 }, pending: 0 },
      people: { reached: 3, unknown: 0, failed: 1, skipped: 1, pending: 0 },
    }
    expect(payloadsOf(received).map(({ data }) => data)).toMatchObject([
      { messageId, stats: tally, reminder: { state: 'cancelled', stats: null } },
    ])
  })

  it('only the states it subscribes to, and nothing of another unit or of moves that change no state', async () => {
    const closed = await registered(['message.closed'])
    const own = await registered()
    const other = await openReceiver()
    await createCallback(fixture.services, fixture.otherProducer, { url: other.url })
    const messageId = await createDraft(fixture)
    await editMessage(fixture.services, fixture.producer, messageId, { categoryId: 'auto' })
    await deliverDue()
    expect(own.received).toEqual([])
    await cancelMessage(fixture.services, fixture.producer, messageId)
    await deliverDue()
    expect(payloadsOf(closed.received).map(({ type }) => type)).toEqual(['message.closed'])
    expect(own.received).toHaveLength(2)
    expect(other.received).toEqual([])
  })

  it('nothing of a move that was rolled back', async () => {
    const { received } = await registered()
    const messageId = await createDraft(fixture)
    const failing = fixture.db.transaction().execute(async (trx) => {
      await cancelMessage({ ...fixture.services, db: trx as never }, fixture.producer, messageId).catch(
        () => {},
      )
      throw new Error('taken back')
    })
    await expect(failing).rejects.toThrow()
    await deliverDue()
    expect(received).toEqual([])
  })
})

describe('a rejected delivery', () => {
  it('is retried later under the same id, and later deliveries of the message wait for it', async () => {
    const { received, answer, id } = await registered(['message.state_changed'])
    answer({ status: 500 })
    const messageId = await createSubmitted(fixture)
    await deliverDue()
    await cancelMessage(fixture.services, fixture.producer, messageId)
    await deliverDue()
    expect(received).toHaveLength(1)
    expect(await deliveries(id)).toMatchObject([
      { state: 'pending', tries: 0, messageState: 'cancelled' },
      { state: 'pending', tries: 1, httpStatus: 500, reason: 'http_error' },
    ])
    expect(await callback(id)).toMatchObject({ state: 'active', failingSince: expect.any(String) })
    await bringForward()
    await deliverDue()
    const ids = received.map(({ headers }) => headers['webhook-id'])
    expect(ids[0]).toBe(ids[1])
    expect(payloadsOf(received).map(({ data }) => data.state)).toEqual([
      'submitted',
      'submitted',
      'cancelled',
    ])
    expect(payloadsOf(received)[0]).toEqual(payloadsOf(received)[1])
    expect(await callback(id)).toMatchObject({ failingSince: null, lastDeliveredAt: expect.any(String) })
  })

  it('delays no other messages; when those are accepted, pending ones are retried', async () => {
    const { received, answer } = await registered(['message.state_changed'])
    answer({ status: 503 })
    await createSubmitted(fixture)
    await deliverDue()
    await createSubmitted(fixture)
    await deliverDue()
    expect(received).toHaveLength(3)
  })

  it('is exhausted after eight tries over a day, and the callback shows as failing until it accepts a delivery', async () => {
    const { received, answer, id } = await registered(['message.state_changed'])
    answer(...Array.from({ length: 8 }, () => ({ status: 404 })))
    await createSubmitted(fixture)
    for (const seconds of [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]) {
      await bringForward()
      const before = await readClock(fixture.db)
      await deliverDue()
      const nextTryAt = Date.parse((await deliveries(id))[0]!.nextTryAt!)
      expect(nextTryAt).toBeGreaterThanOrEqual(before + 900 * seconds - 1) // not a whole number of milliseconds
      expect(nextTryAt).toBeLessThanOrEqual((await readClock(fixture.db)) + 1_100 * seconds)
    }
    await bringForward()
    await deliverDue()
    expect(received).toHaveLength(8)
    expect(await deliveries(id)).toMatchObject([{ state: 'failed', tries: 8, nextTryAt: null }])
    expect(await callback(id)).toMatchObject({ state: 'failing', exhaustedDeliveries: 1 })
    await createSubmitted(fixture)
    await deliverDue()
    expect(await callback(id)).toMatchObject({ state: 'active', exhaustedDeliveries: 0 })
  })

  it('is exhausted at once after it has waited a day behind others', async () => {
    const { answer, id } = await registered(['message.state_changed'])
    answer({ status: 500 })
    await createSubmitted(fixture)
    await updateRows(fixture.db, 'callback_delivery', {}, { at: sql<Date>`now() - interval '29 hours'` })
    await deliverDue()
    expect(await deliveries(id)).toMatchObject([{ state: 'failed', tries: 1 }])
  })

  it.each([
    [302, 'redirect'],
    [400, 'http_error'],
  ])('is any status but 2xx: %i', async (status, code) => {
    const { answer, id } = await registered(['message.state_changed'])
    answer({ status, headers: { location: 'http://127.0.0.1:1/' } })
    await createSubmitted(fixture)
    await deliverDue()
    expect(await deliveries(id)).toMatchObject([{ state: 'pending', httpStatus: status, reason: code }])
  })

  it('410 disables the callback; moves made meanwhile are not stored', async () => {
    const { received, answer, id } = await registered(['message.state_changed'])
    answer({ status: 410 })
    const messageId = await createSubmitted(fixture)
    await deliverDue()
    expect(await callback(id)).toMatchObject({ state: 'disabled', disabledReason: 'gone' })
    await cancelMessage(fixture.services, fixture.producer, messageId)
    await editCallback(fixture.services, fixture.producer, id, { enabled: true })
    await deliverDue()
    expect(received).toHaveLength(1)
    expect(await callback(id)).toMatchObject({ state: 'active', disabledReason: null })
    const audit = await auditRows(fixture.db, id, 'action', 'actor')
    expect(audit).toContainEqual({ action: 'disable', actor: 'system:run' })
  })
})

describe('the secret', () => {
  it('that was rotated signs as well for a day', async () => {
    const { received, secret, id } = await registered(['message.state_changed'])
    const { secret: newer, oldSecretExpiresAt } = await rotateCallback(fixture.services, fixture.producer, id)
    expect(Date.parse(oldSecretExpiresAt) - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
    await createSubmitted(fixture)
    await deliverDue()
    await fixture.db.updateTable('callback').set({ old_secret_until: sql<Date>`now()` }).execute()
    await createSubmitted(fixture)
    await deliverDue()
    const [during, after] = received.map(({ headers, body }) =>
      [secret, newer].map((one) => () => new Webhook(one).verify(body, headers as Record<string, string>)),
    )
    for (const verify of during!) expect(verify).not.toThrow()
    expect(after![0]).toThrow()
    expect(after![1]).not.toThrow()
  })

  it('is encrypted in the row, and decrypts for no other unit', async () => {
    const { secret, id } = await registered()
    const row = await fixture.db
      .selectFrom('callback')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.secret.includes(Buffer.from(secret))).toBe(false)
    expect(secrets.open(row.secret, `callback of unit ${fixture.unit.id}`)).toBe(secret)
    expect(() => secrets.open(row.secret, `callback of unit ${fixture.otherUnit.id}`)).toThrow()
  })
})

describe('a secret that does not decrypt, because SECRETS_KEY has changed', () => {
  const others = () => ({ ...fixture.services, secrets: secretBox(randomBytes(32)) })

  it('is reported as such in the delivery and in a test, and the delivery is retried like any other', async () => {
    const { received, id } = await registered(['message.state_changed'])
    await createSubmitted(fixture)
    const [due] = await take()
    await deliver(others(), due!)
    expect(await deliveries(id)).toMatchObject([
      { state: 'pending', tries: 1, httpStatus: null, reason: 'secret_unreadable' },
    ])
    expect(await callback(id)).toMatchObject({ failingSince: expect.any(String) })
    expect(await testCallback(others(), fixture.producer, id)).toMatchObject({
      delivered: false,
      reason: 'secret_unreadable',
    })
    expect(received).toEqual([])
  })

  it('is not used any more after a rotation; the new one is', async () => {
    const { received, id } = await registered(['message.state_changed'])
    const services = others()
    const { secret } = await rotateCallback(services, fixture.producer, id)
    await createSubmitted(fixture)
    const [due] = await take()
    await deliver(services, due!)
    const { headers, body } = received[0]!
    expect(headers['webhook-signature']).not.toContain(' ')
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow()
  })
})

describe('the queue of deliveries', () => {
  it('is shared: a delivery is taken once, in its message’s order, within the limit of its callback', async () => {
    const [one] = [await registered(['message.state_changed']), await registered(['message.state_changed'])]
    for (let n = 0; n < 5; n++)
      await cancelMessage(fixture.services, fixture.producer, await createSubmitted(fixture))
    const deliveries = (await Promise.all([take({ perCallback: 3 }), take({ perCallback: 3 })])).flat()
    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(deliveries.length)
    expect(new Set(deliveries.map((due) => `${due.callbackId} ${due.messageId}`)).size).toBe(
      deliveries.length,
    )
    const more = await take({ perCallback: 3 })
    const ofOne = [...deliveries, ...more].filter(({ callbackId }) => callbackId === one!.id)
    expect(ofOne).toHaveLength(3)
    expect(await take({ perCallback: 3 })).toEqual([])
  })

  it('is shared: a process that takes deliveries counts those another is taking', async () => {
    await registered(['message.state_changed'])
    for (let n = 0; n < 5; n++) await createSubmitted(fixture)
    const commit = await holdTransaction(fixture.db, async (trx) =>
      expect(await taking({ perCallback: 3 })(trx)).toHaveLength(3),
    )
    expect(await take({ perCallback: 3 })).toEqual([])
    await commit()
    expect(await take({ perCallback: 3 })).toEqual([])
  })

  it('is shared: a unit gets its share for all its callbacks, and the oldest delivery goes first', async () => {
    for (let n = 0; n < 3; n++) await registered(['message.state_changed'])
    const other = await openReceiver()
    await createCallback(fixture.services, fixture.otherProducer, { url: other.url })
    for (let n = 0; n < 3; n++) await createSubmitted(fixture)
    const messageId = await createSubmitted(fixture)
    const change = { types: ['message.state_changed'] as const, messageId, state: 'sent' as const }
    await fixture.db
      .transaction()
      .execute((trx) =>
        insertMessageChange(trx, { ...change, unitId: fixture.otherUnit.id, from: 'sending', version: 9 }),
      )
    const unitsOf = (due: { unitId: string }[]) => due.map(({ unitId }) => unitId)
    expect(unitsOf(await take({ limit: 6, perUnit: 4 })).sort()).toEqual(
      [fixture.otherUnit.id, ...Array<string>(4).fill(fixture.unit.id)].sort(),
    )
    const busy = { [fixture.unit.id]: 3 }
    expect(unitsOf(await take({ perUnit: 4, busy }))).toEqual([fixture.unit.id])
    const oldest = await fixture.db
      .selectFrom('callback_delivery')
      .select('id')
      .where('tries', '=', 0)
      .orderBy('next_try_at')
      .limit(2)
      .execute()
    expect((await take({ limit: 2 })).map(({ id }) => id).sort()).toEqual(oldest.map(({ id }) => id).sort())
  })

  it('excludes deliveries that were being written while the callback was disabled', async () => {
    const { received, id } = await registered(['message.state_changed'])
    const messageId = await createSubmitted(fixture)
    await deliverDue()
    const news = { types: ['message.state_changed'] as const, unitId: fixture.unit.id, messageId }
    const commit = await holdTransaction(fixture.db, (trx) =>
      insertMessageChange(trx, { ...news, state: 'cancelled', from: 'submitted', version: 3 }),
    )
    await editCallback(fixture.services, fixture.producer, id, { enabled: false })
    await commit()
    await editCallback(fixture.services, fixture.producer, id, { enabled: true })
    await deliverDue()
    expect(received).toHaveLength(1)
    expect(await deliveries(id)).toMatchObject([
      { state: 'failed', reason: 'disabled' },
      { state: 'delivered', reason: null },
    ])
  })

  it('is processed by the worker, which retries the deliveries of a dead one', async () => {
    const { received, id } = await registered(['message.state_changed'])
    await createSubmitted(fixture)
    expect(await take()).toHaveLength(1)
    await fixture.db.updateTable('callback_delivery').set({ lease_until: sql<Date>`now()` }).execute()
    const rounds = pollLoop(callbackDeliver(parts()), fixture.services.log)
    await eventually(async () =>
      expect(await deliveries(id)).toMatchObject([{ state: 'delivered', tries: 2 }]),
    )
    await rounds.stop()
    expect(received).toHaveLength(1)
  })

  it('drops a delivery whose callback was deleted during a try', async () => {
    const { id } = await registered(['message.state_changed'])
    await createSubmitted(fixture)
    const [due] = await take()
    await deleteCallback(fixture.services, fixture.producer, id)
    await deliver(parts(), due!)
    expect(await take()).toEqual([])
  })
})
