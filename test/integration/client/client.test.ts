import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, it } from 'vitest'
import { Carillon, CarillonError, verifyCallback } from '../../../client/src/index.ts'
import type { CreateMessage } from '../../../client/src/types.ts'
import { startApi } from '../../fixtures/api.ts'
import { connectLibrary, type Library } from '../../fixtures/library.ts'
import { byCall } from '../../fixtures/senders.ts'
import { eventKeys } from '../../fixtures/services.ts'
import { bind, newEvent } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'

let library: Library
let baseUrl: string
let carillon: Carillon
const api = forFile(() =>
  startApi({ services: { senders: { chat: byCall(async () => ({ kind: 'accepted' })) } } }),
)
beforeAll(async () => {
  await api.database.db.updateTable('person').set({ subject_uid: 's1' }).execute()
  library = await connectLibrary(api)
  baseUrl = library.baseUrl
  carillon = library.as({ key: api.keys.a })
})

const body: CreateMessage = {
  categoryId: 'news',
  messages: [{ kind: 'text', text: { 'zh-TW': '校園開放日' } }],
  audience: { kind: 'query', roles: ['student'] },
}
const fromTemplate = (): CreateMessage => ({
  categoryId: 'news',
  templateId: api.templates.approved,
  variables: { day: 'Saturday' },
  audience: { kind: 'query', roles: ['student'] },
})

async function thrownBy(work: Promise<unknown>): Promise<CarillonError> {
  const error = await work.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CarillonError)
  return error as CarillonError
}

describe('events', () => {
  it('are signed, and distinguished from those sent before', async () => {
    const id = await bind(api)
    const { eventBindings, recordedEvents } = carillon
    const key = { id: 'old', secret: eventKeys.get('old')! }
    const event = newEvent({ data: { day: '週六' } })
    const answer = await carillon.sendEvent('sis', key, event)
    expect(answer).toMatchObject({ accepted: true, duplicate: false, eventId: event.eventId })
    const { items } = await carillon.sendEvents('sis', key, [event, newEvent({ type: 'unbound' })])
    expect(items).toEqual([
      { ...answer, duplicate: true },
      expect.objectContaining({ error: 'no_binding', duplicate: false }),
    ])
    const wrong = carillon.sendEvent('sis', { ...key, secret: 'guessed' }, event)
    expect((await thrownBy(wrong)).code).toBe('bad_signature')
    expect((await eventBindings.update(id, { type: 'unbound' })).newest).toMatchObject({
      state: 'submitted',
      type: 'unbound',
    })
    const decisions = [eventBindings.approve(id), eventBindings.reject(id, { reason: 'no' })]
    for (const decision of decisions) expect((await thrownBy(decision)).code).toBe('forbidden')
    const approver = library.as({ session: api.sessions.approver }).eventBindings
    await approver.approve(id)
    expect((await thrownBy(approver.reject(id, { reason: 'no' }))).code).toBe('invalid_transition')
    expect(await eventBindings.replay(id)).toEqual({
      events: 1,
      messages: 1,
      runs: 0,
      errors: {},
      waiting: 0,
    })
    const [recorded] = (await recordedEvents.list({ type: 'unbound' })).items
    expect(await recordedEvents.get(recorded!.id)).toEqual(recorded)
    expect(await recordedEvents.replay(recorded!.id)).toMatchObject({
      ...{ duplicate: true, messageId: recorded!.messageId },
    })
    const { allowed, ...item } = await eventBindings.get(id)
    expect(allowed.approve).toMatchObject({ code: 'forbidden' })
    expect((await eventBindings.list()).items).toEqual([item])
    expect(await eventBindings.delete(id)).toEqual({ deleted: true })
  })
})

describe('callbacks', () => {
  it('are registered, changed, rotated and deleted', async () => {
    const { callbacks } = carillon
    const { id, secret } = await callbacks.create({ url: 'https://hooks.example.edu/' })
    expect((await callbacks.get(id)).state).toBe('active')
    expect((await callbacks.update(id, { enabled: false })).state).toBe('disabled')
    expect((await callbacks.rotate(id)).secret).not.toBe(secret)
    expect((await callbacks.deliveries(id)).items).toEqual([])
    expect((await callbacks.list()).items).toHaveLength(1)
    await callbacks.delete(id)
    expect((await thrownBy(callbacks.test(id))).code).toBe('not_found')
  })

  it('are verified over what came, by one of two signatures, for five minutes', async () => {
    const [secret, other] = [1, 2].map((n) => `whsec_${Buffer.alloc(32, n).toString('base64')}`) as [
      string,
      string,
    ]
    const event = { type: 'callback.test', timestamp: '2026-12-01T01:00:00.000Z', data: {} }
    const text = JSON.stringify(event)
    const headersAt = (at: Date) => ({
      'webhook-id': 'd1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': [other, secret].map((one) => new Webhook(one).sign('d1', at, text)).join(' '),
    })
    const now = headersAt(new Date())
    expect(await verifyCallback(secret, now, text)).toEqual(event)
    expect(await verifyCallback(other, new Headers(now), text)).toEqual(event)
    const wrong: Parameters<typeof verifyCallback>[] = [
      [secret, now, `${text} `],
      [`whsec_${Buffer.alloc(32).toString('base64')}`, now, text],
      [secret, { ...now, 'webhook-id': 'd2' }, text],
      [secret, { ...now, 'webhook-signature': 'v1,%' }, text],
      [secret, {}, text],
    ]
    for (const one of wrong) expect((await thrownBy(verifyCallback(...one))).code).toBe('bad_signature')
    const stale = verifyCallback(secret, headersAt(new Date(Date.now() - 301_000)), text)
    expect((await thrownBy(stale)).code).toBe('stale_timestamp')
  })
})

describe('messages', () => {
  it('are written, previewed, changed, submitted, paused and cancelled', async () => {
    const { id, state, created } = await carillon.messages.create(body)
    expect([state, created]).toEqual(['draft', true])
    expect((await carillon.messages.dryRun(id)).recipients.total).toBe(3)
    const { version } = await carillon.messages.get(id)
    expect((await carillon.messages.edit(id, fromTemplate(), { ifMatch: version })).state).toBe('draft')
    expect(await carillon.messages.submit(id)).toEqual({ state: 'submitted' })
    expect(await carillon.messages.withdraw(id)).toEqual({ state: 'draft' })
    expect(await carillon.messages.submit(id)).toEqual({ state: 'submitted' })
    expect(await carillon.messages.approve(id)).toEqual({ approved: true })
    expect(await carillon.messages.pause(id)).toEqual({ state: 'paused' })
    expect(await carillon.messages.resume(id)).toEqual({ state: 'approved' })
    expect(await carillon.messages.cancel(id)).toEqual({ state: 'cancelled' })
    const { items } = await carillon.messages.list({ state: ['cancelled', 'rejected'], limit: 1 })
    expect(items.map((item) => item.id)).toEqual([id])
  })

  it('are rejected by people only', async () => {
    const { id } = await carillon.messages.create(body)
    expect((await thrownBy(carillon.messages.reject(id, { reason: 'no' }))).code).toBe('forbidden')
  })

  it('are one message however often they are created with one key', async () => {
    const idempotencyKey = randomUUID()
    const ids = await Promise.all([1, 2, 3].map(() => carillon.messages.create(body, { idempotencyKey })))
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1)
  })
})

describe('with a session', () => {
  const as = (session: string) => library.as({ session })

  it('a person approves, rejects and sends a test of what others have written', async () => {
    const approver = as(api.sessions.approver)
    const [one, other] = await Promise.all([carillon.messages.create(body), carillon.messages.create(body)])
    for (const { id } of [one, other]) await carillon.messages.submit(id)
    expect(await approver.messages.approve(one.id)).toEqual({ approved: true })
    expect(await approver.messages.reject(other.id, { reason: 'no' })).toEqual({ state: 'rejected' })
    expect(await as(api.sessions.editor).messages.testSend(one.id, { channel: 'chat' })).toEqual({
      sent: true,
      channel: 'chat',
    })
    const { id } = await carillon.templates.create({
      name: 'Template',
      categoryId: 'news',
      messages: [{ kind: 'text', text: { 'zh-TW': '校園開放日' } }],
    })
    expect((await approver.templates.reject(id, { reason: 'no' })).state).toBe('rejected')
    await carillon.templates.createVersion(id, { messages: [{ kind: 'text', text: { 'zh-TW': '開放' } }] })
    expect((await approver.templates.approve(id)).state).toBe('approved')
  })

  it('a person of several units names one', async () => {
    const { topics } = as(api.sessions.twoUnits)
    expect((await thrownBy(topics.list())).code).toBe('unit_required')
    expect((await topics.list({ unitId: api.units.a })).items.length).toBeGreaterThan(0)
  })

  it('that has ended is rejected', async () => {
    expect((await thrownBy(as(api.sessions.over).messages.list())).code).toBe('invalid_credential')
  })
})

describe('send', () => {
  const recipients = { total: 3, byChannel: { chat: 3 } }

  it('approves a message through the automatic check', async () => {
    const sent = await carillon.messages.send(fromTemplate())
    expect(sent).toEqual({ id: sent.id, state: 'approved', approved: true, recipients, unknownUids: 0 })
  })

  it('returns why a person must decide', async () => {
    const sent = await carillon.messages.send(body)
    const reason = 'template_required'
    expect(sent).toEqual({
      id: sent.id,
      state: 'submitted',
      approved: false,
      reason,
      recipients,
      unknownUids: 0,
    })
  })

  it('continues where an earlier call with the same key ended', async () => {
    for (const begun of ['create', 'submit', 'approve'] as const) {
      const idempotencyKey = randomUUID()
      const { id } = await carillon.messages.create(fromTemplate(), { idempotencyKey })
      if (begun !== 'create') await carillon.messages.submit(id)
      if (begun === 'approve') await carillon.messages.approve(id)
      const sent = await carillon.messages.send(fromTemplate(), { idempotencyKey })
      expect(sent).toEqual({ id, state: 'approved', approved: true, recipients, unknownUids: 0 })
    }
  })

  it('makes one approved message of many calls at once', async () => {
    const idempotencyKey = randomUUID()
    const sent = await Promise.all(
      Array.from({ length: 8 }, () => carillon.messages.send(fromTemplate(), { idempotencyKey })),
    )
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    expect(sent.every(({ approved }) => approved)).toBe(true)
  })

  it('makes one message although the first answer to each step is lost', async () => {
    const lost = new Set<string>()
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      const step = `${init?.method} ${String(input)}`
      if (lost.has(step)) return response
      lost.add(step)
      throw new TypeError('the connection broke')
    }
    const before = (await carillon.messages.list({ limit: 1 })).items[0]!.id
    const { messages } = new Carillon({ baseUrl, key: api.keys.a, fetch: losing })
    const sent = await messages.send(fromTemplate())
    expect(sent).toEqual({ id: sent.id, state: 'approved', approved: true, recipients, unknownUids: 0 })
    expect(lost.size).toBe(4)
    const { items } = await carillon.messages.list({ limit: 2 })
    expect(items.map(({ id }) => id)).toEqual([sent.id, before])
  })

  it('does not continue a cancelled message', async () => {
    const idempotencyKey = randomUUID()
    const { id } = await carillon.messages.create(fromTemplate(), { idempotencyKey })
    await carillon.messages.cancel(id)
    const sent = await carillon.messages.send(fromTemplate(), { idempotencyKey })
    const ended = { state: 'cancelled', approved: false, reason: 'cancelled' }
    expect(sent).toEqual({ id, ...ended, recipients: null, unknownUids: null })
  })
})

it('the catalogue and the unit are read, and any path can be requested', async () => {
  expect((await carillon.categories.list()).items.map(({ id }) => id)).toContain('news')
  const template = await carillon.templates.create({
    name: 'New',
    categoryId: 'news',
    messages: [{ kind: 'text', text: { 'zh-TW': '{{ who }}' } }],
    variables: [{ name: 'who', required: true }],
  })
  expect(await carillon.templates.get(template.id)).toEqual(template)
  const preview = await carillon.templates.preview(template.id, { channel: 'chat' })
  expect(preview.messages).toHaveLength(1)
  expect((await carillon.templates.list({ state: 'draft' })).items.length).toBe(2)
  const next = await carillon.templates.createVersion(template.id, {
    messages: [{ kind: 'text', text: { 'zh-TW': '你好' } }],
  })
  expect(next).toMatchObject({ version: 2, inForce: 2 })
  expect((await carillon.templates.versions(template.id)).items.length).toBe(2)
  expect((await carillon.units.get(api.units.a)).ledger[0]?.limit).toBe(100)
  const { channels } = await carillon.units.quota(api.units.a, { month: '2098-12' })
  expect(channels[0]?.unit).toEqual({ limit: 100, reserved: 0, committed: 0 })
  expect(await carillon.request('GET', '/v1/categories', { query: { limit: 1 } })).toHaveProperty(
    'nextCursor',
  )
})

it('topics and groups are created, read and changed', async () => {
  const { topics, groups } = carillon
  const topic = await topics.create({ name: { 'zh-TW': '社團' } })
  expect(await topics.update(topic.id, { status: 'inactive' })).toEqual({ ...topic, status: 'inactive' })
  expect((await topics.list({ status: 'inactive' })).items).toContainEqual(await topics.get(topic.id))

  const group = await groups.create({ name: 'Scholars', kind: 'static', legalBasis: 'public_task' })
  expect(await groups.changeMembers(group.id, { add: ['s1', 's2', 'nobody'] })).toEqual({
    ...{ added: 2, removed: 0, unknownUids: 1 },
  })
  expect((await groups.members(group.id)).items.map(({ uid }) => uid).sort()).toEqual(['s1', 's2'])
  expect(await groups.update(group.id, { name: 'All' })).toMatchObject({ name: 'All', memberCount: 2 })
  expect((await groups.list()).items).toContainEqual(expect.objectContaining({ id: group.id, name: 'All' }))
  const { id } = await carillon.messages.create({ ...body, audience: { kind: 'query', groups: [group.id] } })
  expect((await carillon.messages.dryRun(id)).recipients.total).toBe(2)
})

describe('an error', () => {
  it('carries code, status, details and the request’s id', async () => {
    const error = await thrownBy(carillon.messages.create({ ...body, categoryId: 'nowhere' }))
    expect(error).toMatchObject({ code: 'not_found', status: 404, name: 'CarillonError', retryAfter: null })
    expect(error.details).toMatchObject({ issues: [{ path: 'categoryId', message: expect.any(String) }] })
    expect(error.requestId).toMatch(/^[\w-]{36}$/)
  })

  it('reports a missing or late response', async () => {
    const gone = new Carillon({ baseUrl: 'http://127.0.0.1:1', key: 'x', maxRetries: 0 })
    expect(await thrownBy(gone.messages.get('x'))).toMatchObject({ code: 'unreachable', status: 0 })
    const never: typeof fetch = (_, options) =>
      new Promise((_resolve, reject) => {
        options?.signal?.addEventListener('abort', () => reject(options.signal?.reason))
      })
    const slow = new Carillon({ baseUrl, key: 'x', timeoutMs: 20, fetch: never, maxRetries: 0 })
    expect(await thrownBy(slow.messages.get('x'))).toMatchObject({ code: 'timeout', status: 0 })
  })

  it.each([
    ['a page of a gateway', 502, '<html>'],
    ['a page that a redirect has led to', 200, '<html>'],
    ['an error in a form of its own', 500, '{"error": null}'],
    ['an error without a code', 500, '{"error": {"message": "oops"}}'],
    ['nothing at all', 200, ''],
  ])('reports a response that is not from the service: %s', async (_, status, text) => {
    const answering: typeof fetch = async () => new Response(text, { status })
    const other = new Carillon({ baseUrl, key: 'x', fetch: answering })
    expect(await thrownBy(other.messages.get('x'))).toMatchObject({ code: 'unexpected_answer', status })
  })

  it.each([
    ['7', 7],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['soon', null],
    ['2999-01-01', null],
  ])('reads Retry-After in seconds or as a date, and nothing else: %s', async (text, retryAfter) => {
    const headers = { 'retry-after': text }
    const busy: typeof fetch = async () => new Response('busy', { status: 503, headers })
    const other = new Carillon({ baseUrl, key: 'x', fetch: busy, maxRetries: 0 })
    expect(await thrownBy(other.messages.get('x'))).toMatchObject({ status: 503, retryAfter })
  })
})

it('a key learns what it may do, and a person what goes on in the unit', async () => {
  const { unit, groupWriting } = await carillon.key.get()
  expect([unit.id, groupWriting]).toEqual([api.units.a, true])
  const { units, approvals, metrics } = library.as({ session: api.sessions.approver })
  expect((await units.summary()).toApprove).toEqual(expect.any(Number))
  const { items } = await units.audit({ objectKind: 'key', limit: 1 })
  expect(items).toHaveLength(1)
  for await (const { kind } of approvals.list({ limit: 1 })) expect(kind).toBeDefined()
  expect((await metrics.trend({ days: 1 })).points).toEqual([])
  expect((await carillon.metrics.executive({ days: 7 })).reach.sent).toBe(0)
  expect((await carillon.health()).database).toBe('ok')
})

it('a message to a uid that nobody has says so, and its draft goes on with the same key', async () => {
  const targeting = library.as({ key: api.keys.individual })
  const idempotencyKey = 'to nobody'
  const nobody = {
    ...body,
    audience: { kind: 'individual', uids: ['nobody'] },
  } as const satisfies CreateMessage
  const error = await thrownBy(targeting.messages.send(nobody, { idempotencyKey }))
  expect(error.is('content_violation') && error.details.unknownUids).toBe(1)
  expect((await targeting.messages.dryRunUnsaved(nobody)).recipients.unknownUids).toBe(1)
  const { id } = await targeting.messages.create(nobody, { idempotencyKey })
  const uids: [string] = ['s1']
  await targeting.messages.edit(id, { audience: { kind: 'individual', uids } })
  expect((await targeting.messages.submit(id)).state).toBe('submitted')
})

it('every message of a list is read, page by page', async () => {
  const drafts = await Promise.all([1, 2, 3].map(() => carillon.messages.create(body)))
  const ids: string[] = []
  for await (const { id } of carillon.messages.list({ limit: 2 })) ids.push(id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(drafts.map(({ id }) => id)))
})

it('messages are previewed, copied and followed, and other systems told', async () => {
  const { messages, callbacks, groups } = carillon
  const { id } = await messages.create(body)
  const view = { channel: 'chat', locale: 'en' } as const
  expect((await messages.preview(id, view)).messages).toBeDefined()
  expect(await messages.previewUnsaved(body, view)).toEqual(await messages.preview(id, view))
  expect((await messages.audienceValues({ dimension: 'tags', q: 'none has it' })).items).toEqual([])
  expect(await messages.dryRunUnsaved(body)).toEqual(await messages.dryRun(id))
  expect(await messages.copy(id)).toMatchObject({ state: 'draft', created: true })
  expect((await thrownBy(messages.stop(id))).is('invalid_transition')).toBe(true)
  expect((await thrownBy(messages.retry(id))).is('invalid_transition')).toBe(true)
  const targeting = library.as({ key: api.keys.individual })
  expect((await targeting.messages.deliveries(id)).items).toEqual([])
  expect((await targeting.messages.answers(id)).items).toEqual([])
  const approver = library.as({ session: api.sessions.approver })
  expect(await approver.messages.nameOrganisers(id, { organisers: [] })).toEqual({ organisers: [] })
  expect((await targeting.messages.trace(id, 's1')).items.at(-1)?.code).toBe('will_receive')
  const binding = await carillon.eventBindings.create({
    source: 'sis',
    type: 'grades.published',
    categoryId: 'news',
    templateId: api.templates.approved,
    audience: { kind: 'event_subjects' },
  })
  expect(binding.newest.type).toBe('grades.published')
  const callback = await callbacks.create({ url: 'https://hooks.example.edu/' })
  expect(await callbacks.test(callback.id)).toMatchObject({ delivered: false })
  const group = await groups.create({ name: 'Readers', kind: 'static', legalBasis: 'public_task' })
  expect((await groups.get(group.id)).memberCount).toBe(0)
})

it('has had an answer to every operation of these chapters', () => {
  const chapters = ['Messages', 'Catalogue', 'Topics', 'Groups', 'Units', 'Callbacks'] as const
  expect(library.unanswered(...chapters, 'Events', 'Recorded events')).toEqual([])
})
