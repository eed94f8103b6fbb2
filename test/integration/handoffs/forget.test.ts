import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Trx } from '../../../src/db/connect.ts'
import {
  endWebhookEvent,
  insertWebhookEvents,
  takeWebhookEvent,
  type WebhookEvent,
} from '../../../src/db/queries/event/webhook.ts'
import { closedHandoffs } from '../../../src/db/queries/handoff/erase.ts'
import { insertHandoffText } from '../../../src/db/queries/handoff/handoff.ts'
import { insertReply, lockForReply } from '../../../src/db/queries/handoff/reply.ts'
import { handleHandoffText } from '../../../src/services/handoffs/handle-text.ts'
import { startApi } from '../../fixtures/api.ts'
import { placesOf } from '../../fixtures/erasure.ts'
import { chatAddress, insertHandoff } from '../../fixtures/handoffs.ts'
import { insertRow, selectRow, updateRows } from '../../fixtures/rows.ts'
import { forFile } from '../../harness/for-file.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'

const api = forFile(startApi)

/** A handoff in which somebody new has said their uid, and its person; `unbound`: it knows only their chat address. */
async function spokenHandoff(columns: object = {}, { unbound = false } = {}) {
  const { db } = api.database
  const uid = `spoken-${randomUUID()}`
  const channelUser = chatAddress()
  const address = { address: channelUser }
  await api.call('bindAddress', { key: api.keys.administrative, id: uid, body: address })
  const { id: subjectId } = await selectRow(db, 'subject', { uid }, ['id'])
  const handoffId = await insertHandoff(db, {
    ...{ unit_id: api.units.a, channel_user: channelUser, conversation_id: `c ${uid}` },
    ...columns,
  })
  const message = {
    handoffId,
    subjectId: unbound ? null : subjectId,
    text: `I am ${uid}`,
    eventId: randomUUID(),
  }
  await db.transaction().execute((trx) => insertHandoffText(trx, message))
  return { uid, subjectId, handoffId, channelUser }
}

const row = (id: string) =>
  api.database.db.selectFrom('handoff').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

it('what was said is deleted once the handoff has been closed for long, and stays while it is open', async () => {
  const { db } = api.database
  const ended = { closed_at: '2026-01-01', closed_by: 'system:run', end_reason: 'silence' as const }
  const closed = await spokenHandoff(ended)
  const open = await spokenHandoff({ opened_at: '2026-01-01' })
  const before = new Date('2026-06-01')
  expect(await closedHandoffs.count(db, before)).toBe(1)
  expect(await closedHandoffs.slice(db, before, 100)).toBe(1)
  expect(await closedHandoffs.slice(db, before, 100)).toBe(0)
  expect(await placesOf(db, closed.uid)).not.toContain('handoff_message')
  expect(await row(closed.handoffId)).toMatchObject({
    ...{ subject_id: null, conversation_id: null, channel_user: null, end_reason: 'silence' },
  })
  expect(await placesOf(db, open.uid)).toContain('handoff_message')
})

it('a reply that is still to be said keeps its words, however old the handoff is', async () => {
  const { db } = api.database
  const { uid, subjectId, handoffId } = await spokenHandoff({
    ...{ closed_at: '2026-01-01', closed_by: 'system:run', end_reason: 'silence' as const },
  })
  const says = [{ node: '', messages: [{ kind: 'text', text: { 'zh-TW': `Hello ${uid}` } }] }]
  const reply = { handoff_id: handoffId, number: 1, first_node: '', last_node: '', subject_id: subjectId }
  const spoken = { ...reply, unit_id: api.units.a, answers_person: true, locale: 'zh-TW' as const }
  const { id } = await insertRow(db, 'turn', { ...spoken, says: JSON.stringify(says) })
  const before = new Date('2026-06-01')
  expect(await closedHandoffs.count(db, before)).toBe(0)
  expect(await closedHandoffs.slice(db, before, 100)).toBe(0)
  await updateRows(db, 'turn', { id }, { state: 'skipped', closed_at: '2026-01-02' })
  expect(await closedHandoffs.slice(db, before, 100)).toBe(1)
  expect(await placesOf(db, uid)).not.toContain('turn')
})

it.each([{ unbound: false }, { unbound: true }])(
  'an erasure closes and empties the handoffs of a person ($unbound)',
  async (how) => {
    const { db } = api.database
    const { uid, handoffId, channelUser } = await spokenHandoff({}, how)
    const other = await spokenHandoff()
    const exported = await api.call('exportSubject', { key: api.keys.administrative, id: uid })
    expect(exported.body.records).toMatchObject({
      handoff: [{ id: handoffId }],
      handoff_message: [{ text: `I am ${uid}` }],
    })
    expect((await api.call('eraseSubject', { key: api.keys.administrative, id: uid })).status).toBe(200)
    expect(await placesOf(db, uid)).toEqual([])
    expect(await placesOf(db, channelUser)).toEqual([])
    expect(await row(handoffId)).toMatchObject({ end_reason: 'erased', closed_by: 'system:run' })
    expect(await row(other.handoffId)).toMatchObject({ closed_at: null })
  },
)

it('an erasure waits for a reply that is being stored, and takes it along', async () => {
  const { db } = api.database
  const { uid, subjectId, handoffId } = await spokenHandoff()
  const messages = [{ kind: 'text' as const, text: { 'zh-TW': `Hello ${uid}` } }]
  const call = { handoffId, idempotencyKey: null, bodyHash: Buffer.alloc(32), words: null }
  const reply = { ...call, subjectId, actor: 'key:test', says: [{ node: '', messages }] }
  const erased = await eraseAround(uid, {
    first: (trx) => lockForReply(trx, handoffId),
    second: (trx) => insertReply(trx, reply),
  })
  expect(erased.status).toBe(200)
  expect(await placesOf(db, uid)).toEqual([])
})

it('an erasure waits for what is being heard in a handoff, and takes it along', async () => {
  const { db } = api.database
  const { uid, subjectId, channelUser } = await spokenHandoff()
  const message = { type: 'text', text: `Hear ${uid}` }
  const event = { eventId: randomUUID(), type: 'message', address: channelUser, subjectId: null }
  const occurredAt = new Date().toISOString()
  await insertWebhookEvents(db, 'chat', [
    { ...event, occurredAt, payload: { type: 'message', message }, outcome: null },
  ])
  let webhookEvent: WebhookEvent | undefined
  const erased = await eraseAround(uid, {
    first: async (trx) => {
      webhookEvent = await takeWebhookEvent(trx)
    },
    second: async (trx) => {
      expect(await handleHandoffText(trx, webhookEvent!, subjectId)).toBe(true)
      await endWebhookEvent(trx, webhookEvent!.id, { outcome: 'handed_over', subjectId, replied: false })
    },
  })
  expect(erased.status).toBe(200)
  expect(await placesOf(db, uid)).toEqual([])
})

/** Erases a person between two steps of another transaction, which commits after the second one. */
async function eraseAround(
  uid: string,
  { first, second }: Record<'first' | 'second', (trx: Trx) => Promise<unknown>>,
) {
  let held: Trx
  return commitWhileBlocked(
    api.database.db,
    (trx) => {
      held = trx
      return first(trx)
    },
    () => api.call('eraseSubject', { key: api.keys.administrative, id: uid }),
    () => second(held),
  )
}
