import { randomUUID } from 'node:crypto'
import type { OperationId } from '../../../src/contract/endpoints.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { avatarEvent } from '../../fixtures/handoffs.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { newPattern, newPatternVersion } from '../../fixtures/new-pattern.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { newSchedule } from '../../fixtures/new-schedule.ts'
import { photo } from '../../fixtures/pictures.ts'
import { newEvent, signatureHeaders } from '../../fixtures/signed-event.ts'
import { event, signature, webhookSecrets } from '../../fixtures/webhooks.ts'
import { largestGraph } from './planted/conversations.ts'
import { inForce } from './planted/plant.ts'
import type { World } from './world.ts'

/** Prepares a call of an operation about the largest object there is; what it returns is measured. */
type Visit = (world: World) => CallOptions | Promise<CallOptions>

/** The largest page. */
const query = { limit: '200' }

const list =
  (as: keyof World['as']): Visit =>
  (world) => ({ ...world.as[as], query })
const about =
  (object: keyof World['planted'], as: keyof World['as'] = 'key', body?: object): Visit =>
  (world) => ({ ...world.as[as], id: world.planted[object], ...(body && { body }) })
const listOf =
  (object: keyof World['planted'], as: keyof World['as'] = 'key'): Visit =>
  (world) => ({ ...world.as[as], id: world.planted[object], query })
const withBody =
  (as: keyof World['as'], body: object) =>
  (world: World): CallOptions => ({
    ...world.as[as],
    body,
    headers: { 'idempotency-key': randomUUID(), ...world.as[as].headers },
  })
/** About a new object, made by an operation. */
const aboutNew =
  (make: OperationId, parts: object, as: keyof World['as'] = 'key', body?: object): Visit =>
  async (world) => ({
    ...world.as[as],
    id: (
      await world.api.call(make, {
        ...world.as.key,
        body: parts,
        headers: { 'idempotency-key': randomUUID() },
      })
    ).body.id,
    ...(body && { body }),
  })

const draft: Visit = async (world) => ({ ...world.as.key, id: await world.draft() })
const submitted =
  (as: keyof World['as'], body?: object): Visit =>
  async (world) => ({ ...world.as[as], id: await world.submitted(), ...(body && { body }) })
const approved: Visit = async (world) => {
  const id = await world.submitted()
  await world.api.call('approveMessage', { ...world.as.approver, id })
  return { ...world.as.key, id }
}

const webhook =
  (sender: keyof typeof webhookSecrets, header: string, body: (world: World) => object): Visit =>
  (world) => {
    const raw = JSON.stringify(body(world))
    return { raw, headers: { [header]: signature(webhookSecrets[sender], raw) } }
  }
const signed =
  (body: () => object): Visit =>
  () => {
    const raw = JSON.stringify(body())
    return { id: 'sis', raw, headers: signatureHeaders(raw) }
  }

const binding = { source: 'sis', categoryId: 'news', audience: { kind: 'event_subjects' } }
const newBinding = () => ({ ...binding, type: randomUUID() })
const newCallback = { url: 'https://hooks.example.edu/carillon', types: ['message.closed'] }
const newTemplate = {
  ...{ name: 'Open day', categoryId: 'news' },
  messages: [{ kind: 'text', text: { 'zh-TW': '開放日：{{ day }}' } }],
  variables: [{ name: 'day', required: true }],
}

/** Every operation, about the largest that it can be about. A new one is a type error here. */
export const visits: Record<OperationId, Visit> = {
  createMessage: withBody('key', newMessage),
  copyMessage: (world) => ({ ...withBody('key', {})(world), id: world.planted.messageId, body: undefined }),
  editMessage: async (world) => ({ ...world.as.key, id: await world.draft(), body: { reference: 'new' } }),
  dryRunUnsaved: withBody('key', newMessage),
  previewUnsaved: (world) => ({
    ...withBody('key', newMessage)(world),
    query: { locale: 'zh-TW', channel: 'chat' },
  }),
  dryRunMessage: draft,
  submitMessage: draft,
  previewMessage: async (world) => ({ ...(await draft(world)), body: { locale: 'zh-TW', channel: 'chat' } }),
  testSendMessage: async (world) => ({ ...world.as.editor, id: await world.draft() }),
  approveMessage: submitted('approver'),
  rejectMessage: submitted('approver', { reason: 'no' }),
  withdrawMessage: submitted('key'),
  cancelMessage: submitted('key'),
  pauseMessage: approved,
  resumeMessage: async (world) => {
    const of = await approved(world)
    await world.api.call('pauseMessage', of)
    return of
  },
  stopMessage: about('sendingId'),
  retryMessage: about('parkedId'),
  getMessage: about('messageId'),
  listMessages: list('key'),
  listMessageDeliveries: listOf('messageId'),
  traceMessage: (world) => ({
    ...world.as.key,
    id: world.planted.messageId,
    query: { uid: world.planted.uid },
  }),
  listMessageAnswers: listOf('messageId'),
  nameMessageOrganisers: about('messageId', 'approver', { organisers: [] }),
  listAudienceValues: (world) => ({ ...world.as.key, query: { dimension: 'tags' } }),
  listCategories: list('key'),
  getUnit: (world) => ({ ...world.as.key, id: world.api.units.a }),
  getUnitQuota: (world) => ({ ...world.as.key, id: world.api.units.a }),
  listTemplates: list('key'),
  createTemplate: withBody('key', newTemplate),
  getTemplate: about('templateId'),
  previewTemplate: about('templateId', 'key', { channel: 'chat' }),
  listTemplateVersions: listOf('templateId'),
  createTemplateVersion: about('templateId', 'key', {
    ...newTemplate,
    name: undefined,
    categoryId: undefined,
  }),
  approveTemplate: about('templateId', 'approver'),
  rejectTemplate: aboutNew('createTemplate', newTemplate, 'approver', { reason: 'no' }),
  getKey: (world) => world.as.key,
  listScenarios: list('key'),
  createScenario: withBody('key', newScenario()),
  getScenario: about('scenarioId'),
  putScenario: about('scenarioId', 'key', { name: 'Another name', categoryId: 'manual', ...largestGraph() }),
  listScenarioVersions: listOf('scenarioId'),
  approveScenario: about('waitingScenarioId', 'approver', { version: 1 }),
  rejectScenario: about('otherWaitingScenarioId', 'approver', { version: 1, reason: 'no' }),
  withdrawScenario: async (world) => {
    const of = await aboutNew('createScenario', newScenario({ categoryId: 'manual' }))(world)
    await world.api.call('putScenario', { ...of, body: { state: 'active' } })
    return { ...of, body: { version: 1 } }
  },
  listPatterns: list('key'),
  createPattern: withBody('key', newPattern()),
  getPattern: about('patternId'),
  patchPattern: about('patternId', 'key', { deadline: new Date(Date.now() + 20 * 86_400_000).toISOString() }),
  createPatternVersion: aboutNew(
    'createPattern',
    newPattern(),
    'key',
    newPatternVersion({ name: 'Changed' }),
  ),
  getPatternReport: about('patternId'),
  listPatternAnswers: listOf('patternId'),
  namePatternOrganisers: about('patternId', 'approver', { organisers: [] }),
  listTopics: list('key'),
  createTopic: withBody('key', { name: { 'zh-TW': '新主題' } }),
  getTopic: (world) => ({ ...world.as.key, id: world.api.topics.active }),
  editTopic: (world) => ({ ...world.as.key, id: world.api.topics.active, body: { status: 'inactive' } }),
  listMedia: list('key'),
  getMedia: about('mediaId'),
  createMedia: async (world) => ({
    ...world.as.key,
    raw: await photo(),
    headers: { ...world.as.key.headers, 'content-type': 'image/jpeg' },
  }),
  listGroups: list('key'),
  createGroup: withBody('key', { name: 'New', kind: 'static', legalBasis: 'consent' }),
  getGroup: about('groupId'),
  editGroup: about('groupId', 'key', { name: 'Renamed' }),
  listMembers: listOf('groupId'),
  changeMembers: about('groupId', 'key', { add: ['person-1', 'person-2'] }),
  bindAddress: about('uid', 'identity', { address: `U${'b'.repeat(32)}` }),
  unbindAddress: (world) => ({ ...world.as.identity, id: 'person-9' }),
  updateSubject: about('uid', 'identity', { stage: 'alumni' }),
  getSubject: about('uid', 'identity'),
  resolveSubjects: async (world) => {
    const { uid } = world.planted
    const person = world.api.database.db.selectFrom('subject').select('id').where('uid', '=', uid)
    return { ...world.as.key, body: { ids: [(await person.executeTakeFirstOrThrow()).id] } }
  },
  grantConsent: about('uid', 'identity', { scope: 'admission', version: '1', source: 'form' }),
  revokeConsent: (world) => ({ ...world.as.identity, id: world.planted.uid, query: { scope: 'scope-1' } }),
  listSubjectDeliveries: listOf('uid', 'identity'),
  listSubjectTurns: listOf('uid', 'identity'),
  exportSubject: about('uid', 'identity'),
  eraseSubject: about('uid', 'identity'),
  createImport: (world) => ({
    ...world.as.identity,
    raw: '{"uid": "imported"}\n',
    headers: { 'content-type': 'application/x-ndjson' },
  }),
  listImports: list('identity'),
  getImport: about('importId', 'identity'),
  listRejectedLines: listOf('importId', 'identity'),
  listInbox: list('recipient'),
  countUnread: (world) => world.as.recipient,
  markInboxItemRead: about('waveId', 'recipient'),
  getPreferences: (world) => world.as.recipient,
  putPreferences: (world) => ({
    ...world.as.recipient,
    body: { language: 'en', categories: { news: { chat: true } } },
  }),
  receiveChatWebhook: webhook('chat', 'x-line-signature', (world) => ({
    ...{ destination: 'U1', events: [event('message', world.planted.address)] },
  })),
  receiveEmailWebhook: webhook('email', 'x-channel-signature', () => ({
    events: [{ id: randomUUID(), type: 'bounce', address: 'person-1@example.edu' }],
  })),
  receiveAvatarWebhook: webhook('avatar', 'x-channel-signature', () => avatarEvent()),
  listCallbacks: list('key'),
  createCallback: withBody('key', newCallback),
  getCallback: about('callbackId'),
  editCallback: about('callbackId', 'key', { description: 'new' }),
  deleteCallback: about('callbackId'),
  rotateCallback: about('callbackId'),
  testCallback: about('callbackId'),
  listCallbackDeliveries: listOf('callbackId'),
  simulateContent: withBody('key', { scenario: newScenario(), answers: {} }),
  simulateScenario: about('scenarioId', 'key', { answers: {} }),
  listScenarioRuns: listOf('scenarioId'),
  summariseScenarioRuns: about('scenarioId'),
  getRun: about('runId'),
  traceRun: about('runId'),
  listScenarioAnswers: listOf('scenarioId'),
  startRuns: (world) => ({
    ...withBody('key', { audience: { kind: 'query', roles: ['student'] } })(world),
    id: world.planted.scenarioId,
  }),
  startTestRun: about('scenarioId', 'editor'),
  cancelRuns: about('scenarioId', 'key', { version: inForce }),
  cancelRun: about('otherRunId'),
  listSchedules: list('key'),
  createSchedule: withBody('key', newSchedule),
  getSchedule: about('scheduleId'),
  editSchedule: about('scheduleId', 'key', { cron: '30 8 * * 1' }),
  deleteSchedule: about('scheduleId'),
  listOccurrences: listOf('scheduleId'),
  listHandoffs: list('key'),
  getHandoff: about('handoffId'),
  replyInHandoff: about('handoffId', 'key', { messages: [{ kind: 'text', text: { 'zh-TW': '您好' } }] }),
  closeHandoff: about('handoffId'),
  getSummary: (world) => world.as.approver,
  listAudit: (world) => ({
    ...world.as.approver,
    query: { ...query, objectKind: 'message', objectId: world.planted.messageId },
  }),
  getExecutiveMetrics: (world) => ({ ...world.as.key, query: { days: '366' } }),
  getTrend: (world) => ({ ...world.as.key, query: { days: '366' } }),
  listApprovals: list('approver'),
  beginSignIn: () => ({}),
  finishSignIn: () => ({ query: { state: 'x' } }),
  signOut: async (world) => ({ session: await world.api.newSession('approver') }),
  getSession: (world) => world.as.approver,
  editSession: withBody('approver', { language: 'en' }),
  receiveEvent: signed(newEvent),
  receiveEvents: signed(() => ({ events: [newEvent()] })),
  listEventBindings: list('key'),
  createEventBinding: withBody('key', newBinding()),
  getEventBinding: about('bindingId'),
  updateEventBinding: about('bindingId', 'key', { keyIds: ['new', 'old'] }),
  approveEventBinding: about('waitingBindingId', 'approver'),
  rejectEventBinding: about('otherWaitingBindingId', 'approver', { reason: 'no' }),
  deleteEventBinding: about('waitingBindingId'),
  replayEventBinding: about('bindingId'),
  listRecordedEvents: (world) => ({
    ...world.as.key,
    query: { ...query, source: 'sis', type: 'course.moved' },
  }),
  getRecordedEvent: about('eventId'),
  replayRecordedEvent: about('eventId'),
  adminListUnits: list('administrator'),
  adminCreateUnit: withBody('administrator', { name: 'New unit' }),
  adminEditUnit: (world) => ({
    ...world.as.administrator,
    id: world.api.units.a,
    body: { timeZone: 'Asia/Tokyo' },
  }),
  adminListMembers: (world) => ({ ...world.as.administrator, id: world.api.units.a }),
  adminChangeRoles: (world) => ({
    ...world.as.administrator,
    id: world.api.units.a,
    body: { personId: world.planted.memberId, remove: ['editor'] },
  }),
  adminListPersons: list('administrator'),
  adminCreatePerson: withBody('administrator', { name: 'New', email: 'new@example.org' }),
  adminEditPerson: about('memberId', 'administrator', { name: 'Renamed' }),
  adminListKeys: (world) => ({ ...world.as.administrator, query: { ...query, unitId: world.api.units.a } }),
  adminCreateKey: (world) => ({
    ...world.as.administrator,
    body: { unitId: world.api.units.a, name: 'New' },
  }),
  adminRevokeKey: (world) => ({ ...world.as.administrator, id: '000000000001' }),
  adminFindSuppression: withBody('administrator', { channel: 'email', address: 'ann@example.edu' }),
  adminLiftSuppression: withBody('administrator', {
    channel: 'email',
    address: 'ann@example.edu',
    reason: 'ok',
  }),
  adminListEventKeys: (world) => ({
    ...world.as.administrator,
    query: { ...query, unitId: world.api.units.a },
  }),
  adminCreateEventKey: (world) => ({
    ...world.as.administrator,
    body: { unitId: world.api.units.a, name: 'SIS', sources: ['sis-2'] },
  }),
  adminRevokeEventKey: (world) => ({ ...world.as.administrator, id: '000000000001' }),
  adminListLookupEndpoints: list('administrator'),
  adminCreateLookupEndpoint: withBody('administrator', { origin: 'https://orders.example.edu' }),
  adminDeleteLookupEndpoint: about('lookupEndpointId', 'administrator'),
  adminListCategories: list('administrator'),
  adminCreateCategory: withBody('administrator', {
    ...{ id: 'new', name: { 'zh-TW': '新' }, layer: 'service' },
    channelPlan: { mode: 'all', channels: ['chat'] },
  }),
  adminEditCategory: (world) => ({ ...world.as.administrator, id: 'news', body: { enabled: true } }),
  adminListValueNames: (world) => ({ ...world.as.administrator, query: { dimension: 'tags', limit: '200' } }),
  adminSetValueNames: withBody('administrator', {
    ...{ dimension: 'orgUnits', names: [{ value: 'cs', name: { 'zh-TW': '資訊工程學系' } }] },
  }),
  adminGetQuota: (world) => ({ ...world.as.administrator, query: { scope: world.api.units.a } }),
  adminSetQuota: (world) => ({
    ...world.as.administrator,
    body: { scope: world.api.units.a, channel: 'chat', limit: 2_000_000 },
  }),
  getHealth: () => ({}),
  livez: () => ({}),
  readyz: () => ({}),
  openapi: () => ({}),
}

/** Operations that this installation refuses, after they have read what they read. */
export const refused: { [id in OperationId]?: { code: string; why: string } } = {
  beginSignIn: { code: 'not_configured', why: 'asks the identity provider, and reads nothing' },
  finishSignIn: {
    code: 'not_configured',
    why: 'asks the identity provider, and reads one sign-in by its key',
  },
  adminLiftSuppression: { code: 'not_found', why: 'looks for one address by its hash' },
}
