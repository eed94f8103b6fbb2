import { randomUUID } from 'node:crypto'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import type { MessageState } from '../../../src/domain/message-state.ts'
import type { World } from '../../fixtures/api.ts'
import type { Answered, CallOptions } from '../../fixtures/call.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { makeObject } from '../../fixtures/objects.ts'
import { delivered } from '../../fixtures/sent-message.ts'
import { newEvent, sendEvent, sendEvents } from '../../fixtures/signed-event.ts'
import { administration } from './administration.ts'

type Way = (world: World) => Promise<Answered>

/** Operations whose call with a fresh object and their own example does not succeed by itself: how it does. */
export const ways: Partial<Record<OperationId, Way>> = {
  ...administration,
  approveMessage: async (world) => byApprover(world, 'approveMessage', await messageIn(world, 'submitted')),
  rejectMessage: async (world) =>
    byApprover(world, 'rejectMessage', await messageIn(world, 'submitted'), { reason: 'no' }),
  pauseMessage: async (world) => byApprover(world, 'pauseMessage', await messageIn(world, 'approved')),
  resumeMessage: async (world) => {
    const id = await messageIn(world, 'approved')
    await byApprover(world, 'pauseMessage', id)
    return byApprover(world, 'resumeMessage', id)
  },
  stopMessage: async (world) => byApprover(world, 'stopMessage', await sendingMessage(world)),
  retryMessage: async (world) => {
    const id = await sendingMessage(world)
    const { db } = world.database
    await db.updateTable('wave').set({ parked: 'provider', parked_at: new Date() }).execute()
    return byApprover(world, 'retryMessage', id)
  },
  testSendMessage: async (world) => {
    await world.database.db.updateTable('person').set({ subject_uid: 's1' }).execute()
    return byApprover(world, 'testSendMessage', await messageIn(world, 'draft'))
  },
  createTemplate: (world) => world.call('createTemplate', { key: world.keys.a, body: template }),
  approveTemplate: async (world) => byApprover(world, 'approveTemplate', await newTemplate(world)),
  rejectTemplate: async (world) =>
    byApprover(world, 'rejectTemplate', await newTemplate(world), { reason: 'no' }),
  revokeConsent: async (world) => {
    const person = { key: world.keys.office, id: await makeObject.Identity!(world) }
    const { bodyExample }: Endpoint = endpoints.grantConsent
    await world.call('grantConsent', { ...person, body: bodyExample })
    return world.call('revokeConsent', { ...person, body: { scope: 'admission' } })
  },
  createImport: (world) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    return world.call('createImport', { key: world.keys.office, raw: '{"uid": "new"}\n', headers })
  },
  markInboxItemRead: async (world) => {
    const { waveId: id } = await delivered(world, { ...newMessage, categoryId: 'manual' })
    return world.call('markInboxItemRead', { id, headers: { 'x-mock-channel-user': 'Us1' } })
  },
  receiveChatWebhook: (world) => webhook(world, 'receiveChatWebhook'),
  receiveEmailWebhook: (world) => webhook(world, 'receiveEmailWebhook'),
  receiveEvent: async (world) => {
    const type = randomUUID()
    await bindType(world, type)
    return sendEvent(world, newEvent({ type }))
  },
  receiveEvents: async (world) => {
    const type = randomUUID()
    await bindType(world, type)
    return sendEvents(world, [newEvent({ type })])
  },
}

/** Calls an operation so that it succeeds: in its own way, or as whoever may, with a fresh object and its own example. */
export async function succeed(world: World, id: OperationId): Promise<Answered> {
  const way = ways[id]
  if (way) return way(world)
  const endpoint: Endpoint = endpoints[id]
  const object = await makeObject[endpoint.tag]?.(world)
  const body = endpoint.bodyExample as object | undefined
  return world.call(id, {
    ...(await callerAt(world, endpoint)),
    ...(object !== undefined && { id: object }),
    ...(body && { body: 'categoryId' in body ? { ...body, categoryId: 'news' } : body }),
  })
}

async function callerAt(world: World, { doors, administrative }: Endpoint): Promise<CallOptions> {
  const headers = { 'idempotency-key': randomUUID() }
  if (administrative) return { key: world.keys.office, headers }
  if (doors.includes('producer')) return { key: world.keys.a, headers }
  if (doors.includes('recipient')) return { headers: { 'x-mock-channel-user': 'Us1' } }
  return { session: await world.newSession('approver'), headers }
}

async function byApprover(world: World, id: OperationId, object: string, body?: object): Promise<Answered> {
  return world.call(id, { session: world.sessions.approver, id: object, ...(body && { body }) })
}

async function messageIn(world: World, state: MessageState): Promise<string> {
  const as = { key: world.keys.a }
  const headers = { 'idempotency-key': randomUUID() }
  const body = { ...newMessage, categoryId: 'manual' }
  const { id } = (await world.call('createMessage', { ...as, headers, body })).body
  if (state !== 'draft') await world.call('submitMessage', { ...as, id })
  if (state === 'approved') await byApprover(world, 'approveMessage', id)
  return id
}

/** As the run would leave it after its first batch was claimed. */
async function sendingMessage(world: World): Promise<string> {
  const id = await messageIn(world, 'approved')
  const { db } = world.database
  await db.updateTable('message').set({ state: 'sending' }).where('id', '=', id).execute()
  await db.updateTable('wave').set({ state: 'sending', claimed: true }).where('message_id', '=', id).execute()
  return id
}

const template = { name: 'New', categoryId: 'news', messages: [{ kind: 'text', text: { 'zh-TW': '您好' } }] }

async function newTemplate(world: World): Promise<string> {
  return (await world.call('createTemplate', { key: world.keys.a, body: template })).body.id
}

async function webhook(world: World, id: OperationId): Promise<Answered> {
  const { bodyExample }: Endpoint = endpoints[id]
  return world.call(id, { body: bodyExample, headers: { 'x-mock-signature': 'ok' } })
}

async function bindType(world: World, type: string): Promise<void> {
  const { templates, keys } = world
  const audience = { kind: 'event_subjects' }
  const body = { source: 'sis', type, categoryId: 'news', templateId: templates.approved, audience }
  await world.call('createEventBinding', { key: keys.a, body })
}
