import { randomUUID } from 'node:crypto'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import type { MessageState } from '../../../src/contract/enums.ts'
import type { Api } from '../../fixtures/api.ts'
import type { CallOptions, CallResponse } from '../../fixtures/call.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { newSchedule } from '../../fixtures/new-schedule.ts'
import { makeObject } from '../../fixtures/objects.ts'
import { photo } from '../../fixtures/pictures.ts'
import { insertScenario, insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { bind, newEvent, sendEvent, sendEvents } from '../../fixtures/signed-event.ts'
import { administration } from './administration.ts'

type Way = (api: Api) => Promise<CallResponse>

/** How an operation succeeds, if its example with a new object does not. */
export const ways: Partial<Record<OperationId, Way>> = {
  ...administration,
  approveMessage: async (api) => byApprover(api, 'approveMessage', await messageIn(api, 'submitted')),
  rejectMessage: async (api) =>
    byApprover(api, 'rejectMessage', await messageIn(api, 'submitted'), { reason: 'no' }),
  withdrawMessage: async (api) => byApprover(api, 'withdrawMessage', await messageIn(api, 'submitted')),
  pauseMessage: async (api) => byApprover(api, 'pauseMessage', await messageIn(api, 'approved')),
  resumeMessage: async (api) => {
    const id = await messageIn(api, 'approved')
    await byApprover(api, 'pauseMessage', id)
    return byApprover(api, 'resumeMessage', id)
  },
  stopMessage: async (api) => byApprover(api, 'stopMessage', await sendingMessage(api)),
  retryMessage: async (api) => {
    const id = await sendingMessage(api)
    const { db } = api.database
    await db.updateTable('wave').set({ parked: 'provider', parked_at: new Date() }).execute()
    return byApprover(api, 'retryMessage', id)
  },
  resolveSubjects: (api) =>
    api.call('resolveSubjects', { key: api.keys.individual, body: { ids: [randomUUID()] } }),
  testSendMessage: async (api) => {
    await api.database.db.updateTable('person').set({ subject_uid: 's1' }).execute()
    return byApprover(api, 'testSendMessage', await messageIn(api, 'draft'))
  },
  previewUnsaved: (api) =>
    api.call('previewUnsaved', { key: api.keys.a, query: { channel: 'chat' }, body: newMessage }),
  simulateContent: (api) =>
    api.call('simulateContent', {
      key: api.keys.a,
      body: { scenario: newScenario(), answers: {}, lookups: {} },
    }),
  simulateScenario: async (api) =>
    api.call('simulateScenario', {
      ...{ key: api.keys.a, id: await makeObject.Scenarios!(api) },
      body: { answers: {}, lookups: {} },
    }),
  nameMessageOrganisers: async (api) =>
    byApprover(api, 'nameMessageOrganisers', await messageIn(api, 'submitted'), await anEditor(api)),
  namePatternOrganisers: async (api) =>
    byApprover(api, 'namePatternOrganisers', await makeObject.Patterns!(api), await anEditor(api)),
  startRuns: async (api) => {
    const key = api.keys.individual
    const id = await makeObject.Scenarios!(api)
    await api.call('putScenario', { key, id, body: { state: 'active' } })
    return api.call('startRuns', { key, id, body: { subjectUids: ['s1'] } })
  },
  startTestRun: async (api) => {
    await api.database.db.updateTable('person').set({ subject_uid: 's1' }).execute()
    return byApprover(api, 'startTestRun', await makeObject.Scenarios!(api), {})
  },
  cancelRuns: async (api) => {
    const scenario = await insertScenario(api.database.db, { unitId: api.units.a })
    await insertScenarioRun(api.database.db, { scenario })
    return api.call('cancelRuns', { key: api.keys.a, id: scenario.id, body: {} })
  },
  replyInHandoff: async (api) => {
    const body = endpoints.replyInHandoff.bodyExample
    return byApprover(api, 'replyInHandoff', await makeObject.Handoffs!(api), body)
  },
  closeHandoff: async (api) => byApprover(api, 'closeHandoff', await makeObject.Handoffs!(api)),
  createTemplate: (api) => api.call('createTemplate', { key: api.keys.a, body: template }),
  approveTemplate: async (api) => byApprover(api, 'approveTemplate', await newTemplate(api)),
  rejectTemplate: async (api) => byApprover(api, 'rejectTemplate', await newTemplate(api), { reason: 'no' }),
  approveEventBinding: async (api) => byApprover(api, 'approveEventBinding', await submittedBinding(api)),
  rejectEventBinding: async (api) =>
    byApprover(api, 'rejectEventBinding', await submittedBinding(api), { reason: 'no' }),
  approveScenario: async (api) =>
    byApprover(api, 'approveScenario', await submittedScenario(api), { version: 1 }),
  rejectScenario: async (api) =>
    byApprover(api, 'rejectScenario', await submittedScenario(api), { version: 1, reason: 'no' }),
  withdrawScenario: async (api) =>
    api.call('withdrawScenario', { key: api.keys.a, id: await submittedScenario(api), body: { version: 1 } }),
  revokeConsent: async (api) => {
    const person = { key: api.keys.administrative, id: await makeObject.Identity!(api) }
    const { bodyExample }: Endpoint = endpoints.grantConsent
    await api.call('grantConsent', { ...person, body: bodyExample })
    return api.call('revokeConsent', { ...person, body: { scope: 'admission' } })
  },
  createMedia: async (api) =>
    api.call('createMedia', {
      key: api.keys.a,
      raw: await photo(),
      headers: { 'content-type': 'image/jpeg' },
    }),
  createImport: (api) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    return api.call('createImport', { key: api.keys.administrative, raw: '{"uid": "new"}\n', headers })
  },
  markInboxItemRead: async (api) => {
    const { waveId: id } = await insertSentMessage(api, { ...newMessage, categoryId: 'manual' })
    return api.call('markInboxItemRead', { id, headers: { 'x-mock-channel-user': 'Us1' } })
  },
  receiveChatWebhook: (api) => webhook(api, 'receiveChatWebhook'),
  receiveEmailWebhook: (api) => webhook(api, 'receiveEmailWebhook'),
  receiveAvatarWebhook: (api) => webhook(api, 'receiveAvatarWebhook'),
  changeMembers: async (api) => {
    const id = await makeObject.Groups!(api)
    return api.call('changeMembers', { key: api.keys.a, id, body: { add: ['s1'] } })
  },
  createSchedule: (api) => api.call('createSchedule', { key: api.keys.a, body: newSchedule }),
  editCallback: async (api) => {
    const id = await makeObject.Callbacks!(api)
    return api.call('editCallback', { key: api.keys.a, id, body: { enabled: false } })
  },
  replayEventBinding: async (api) => {
    const type = randomUUID()
    const id = await bind(api, { type })
    await sendEvent(api, newEvent({ type, data: {} })) // without its variable
    return api.call('replayEventBinding', { key: api.keys.a, id })
  },
  receiveEvent: async (api) => {
    const type = randomUUID()
    await bind(api, { type })
    return sendEvent(api, newEvent({ type }))
  },
  receiveEvents: async (api) => {
    const type = randomUUID()
    await bind(api, { type })
    return sendEvents(api, [newEvent({ type })])
  },
}

/**
 * Calls an operation so that it succeeds: as listed here, or as an authorised caller with a fresh object and its
 * example.
 */
export async function succeed(api: Api, id: OperationId): Promise<CallResponse> {
  const way = ways[id]
  if (way) return way(api)
  const endpoint: Endpoint = endpoints[id]
  const object = await makeObject[endpoint.tag]?.(api)
  const body = endpoint.bodyExample as object | undefined
  return api.call(id, {
    ...(await callerAt(api, endpoint)),
    ...(object !== undefined && { id: object }),
    ...(body && { body: 'categoryId' in body ? { ...body, categoryId: 'news' } : body }),
  })
}

async function callerAt(api: Api, { auth, administrative }: Endpoint): Promise<CallOptions> {
  const headers = { 'idempotency-key': randomUUID() }
  if (administrative) return { key: api.keys.administrative, headers }
  if (auth.includes('producer')) return { key: api.keys.a, headers }
  if (auth.includes('recipient')) return { headers: { 'x-mock-channel-user': 'Us1' } }
  return { session: await api.newSession('approver'), headers }
}

async function byApprover(api: Api, id: OperationId, object: string, body?: object): Promise<CallResponse> {
  return api.call(id, { session: api.sessions.approver, id: object, ...(body && { body }) })
}

async function messageIn(api: Api, state: MessageState): Promise<string> {
  const as = { key: api.keys.a }
  const headers = { 'idempotency-key': randomUUID() }
  const body = { ...newMessage, categoryId: 'manual' }
  const { id } = (await api.call('createMessage', { ...as, headers, body })).body
  if (state !== 'draft') await api.call('submitMessage', { ...as, id })
  if (state === 'approved') await byApprover(api, 'approveMessage', id)
  return id
}

/** As the run would leave it after its first batch was claimed. */
async function sendingMessage(api: Api): Promise<string> {
  const id = await messageIn(api, 'approved')
  const { db } = api.database
  await db.updateTable('message').set({ state: 'sending' }).where('id', '=', id).execute()
  await db.updateTable('wave').set({ state: 'sending', claimed: true }).where('message_id', '=', id).execute()
  return id
}

const template = { name: 'New', categoryId: 'news', messages: [{ kind: 'text', text: { 'zh-TW': '您好' } }] }

async function newTemplate(api: Api): Promise<string> {
  return (await api.call('createTemplate', { key: api.keys.a, body: template })).body.id
}

/** A binding to a query, which waits for approval. */
async function submittedBinding(api: Api): Promise<string> {
  const audience = { kind: 'query', roles: ['student'] }
  return bind(api, { type: randomUUID(), audience })
}

async function submittedScenario(api: Api): Promise<string> {
  const as = { key: api.keys.a }
  const { id } = (await api.call('createScenario', { ...as, body: newScenario({ categoryId: 'manual' }) }))
    .body
  await api.call('putScenario', { ...as, id, body: { state: 'active' } })
  return id
}

async function webhook(api: Api, id: OperationId): Promise<CallResponse> {
  const { bodyExample }: Endpoint = endpoints[id]
  return api.call(id, { body: bodyExample, headers: { 'x-mock-signature': 'ok' } })
}

async function anEditor(api: Api): Promise<object> {
  const { members } = (await api.call('getUnit', { key: api.keys.a, id: api.units.a })).body
  return { organisers: [members[0].id] }
}
