import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startSimulator } from '../../../dev/simulator/server.ts'
import { createKey } from '../../../src/services/admin/keys.ts'
import { createSession } from '../../../src/services/identity/session.ts'
import { openReceiver } from '../../fixtures/callback-receiver.ts'
import { producer } from '../../fixtures/producer.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { insertScenario } from '../../fixtures/scenario-rows.ts'
import { seedCategory, seedPeople, seedQuota, seedUnit, targetingRights } from '../../fixtures/seed.ts'
import { eventKeys } from '../../fixtures/services.ts'
import { token } from '../../fixtures/simulator-calls.ts'
import { type ReceivedSpan, receiveTraces, type TraceReceiver } from '../../fixtures/trace-receiver.ts'
import { freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { freshNamespace } from '../../harness/namespace.ts'
import { type Spawned, spawnProcess } from '../../harness/spawn.ts'

/** Personal data, which no span may hold: a text, and the uid and address of a recipient. */
const text = '這是只給您看的內容'

let receiver: TraceReceiver
let simulator: Awaited<ReturnType<typeof startSimulator>>
let api: { process: Spawned; url: string }
let worker: Spawned
let unitId: string
let key: string
let session: string
let tag: string
let env: Record<string, string>
const database = forFile(freshDatabase)
beforeAll(async () => {
  receiver = await receiveTraces()
  simulator = await startSimulator({ port: 0, dir: await mkdtemp(join(inject('scratch'), 'traces-')), token })
  const { db } = database
  unitId = await seedUnit(db, 'Admissions')
  await seedCategory(db, 'news')
  await seedQuota(db, unitId, 100_000, 0)
  tag = await addRecipients(db, 10)
  const people = await seedPeople(db, { a: unitId, b: await seedUnit(db, 'Library') })
  session = (await createSession(db, 'operator:cli', { personId: people.approver, hours: 1 })).token
  key = (await createKey(db, 'operator:cli', { unitId, name: 'test', ...targetingRights })).key
  const { address, namespace } = await freshNamespace()
  env = {
    ...{ DATABASE_URL: database.url, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace },
    ...{ CHAT_BASE_URL: simulator.url, CHAT_CHANNEL_TOKEN: token, PORT: '0' },
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20secret',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    EVENT_SIGNING_KEYS: [...eventKeys].map((pair) => pair.join(':')).join(','),
    OUTBOUND_ALLOW: '127.0.0.1:*',
  }
  api = await startApi()
  worker = await spawnProcess('worker', ['src/worker.ts'], env)
})
afterAll(async () => {
  await Promise.all([api.process.stop(), worker.stop()])
  await simulator.close()
  await receiver.close()
})

async function startApi(more: Record<string, string> = {}): Promise<typeof api> {
  const process = await spawnProcess('api', ['src/server.ts'], { ...env, ...more })
  await process.logged(/Server listening at/)
  const [, url] = /Server listening at (http:[^"]+)/.exec(process.log())!
  return { process, url: url! }
}

async function post(path: string, traceparent: string | undefined, body?: unknown) {
  const response = await fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(traceparent && { traceparent }),
      ...(body !== undefined && { 'idempotency-key': `traces-${Math.random()}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(response.ok, await response.clone().text()).toBe(true)
  return (await response.json()) as { id: string }
}

/** Lets the message go, as its approver. */
async function approve(id: string, traceparent: string): Promise<void> {
  const headers = { cookie: `hub_session=${session}`, traceparent }
  const response = await fetch(`${api.url}/v1/messages/${id}/approve`, { method: 'POST', headers })
  expect(response.ok, await response.text()).toBe(true)
}

async function create(traceparent?: string): Promise<string> {
  const audience = { kind: 'query', tags: [tag] }
  const messages = [{ kind: 'text', text: { 'zh-TW': text } }]
  return (await post('/v1/messages', traceparent, { categoryId: 'news', audience, messages })).id
}

async function sent(id: string): Promise<void> {
  await eventually(async () => {
    const { db } = database
    const row = await db.selectFrom('message').select('state').where('id', '=', id).executeTakeFirst()
    expect(row?.state).toBe('sent')
  })
}

const traceparentOf = (trace: string) => `00-${trace.repeat(32)}-${'7'.repeat(16)}-01`
const spansOf = (trace: string) => receiver.spans.filter(({ traceId }) => traceId === trace)

/** The span, then those that surround it, outwards. */
function lineage(span: ReceivedSpan): string[] {
  const parent = receiver.spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [`${span.service} ${span.name}`, ...(parent ? lineage(parent) : [])]
}

it('records one trace from the request of a producer to the call to the provider', async () => {
  const trace = 'a'.repeat(32)
  const id = await create(traceparentOf('a'))
  await post(`/v1/messages/${id}/submit`, traceparentOf('a'))
  await approve(id, traceparentOf('a'))
  await sent(id)

  await eventually(() => {
    const [provider] = spansOf(trace).filter(({ name }) => name === 'chat multicast')
    expect(provider).toMatchObject({ kind: 3, attributes: { 'http.response.status_code': 200 } })
    expect(lineage(provider!)).toEqual([
      'carillon-worker chat multicast',
      expect.stringMatching(/^carillon-worker messageIntent send/),
      'carillon-api POST /v1/messages',
    ])
  })
  await eventually(() => {
    const approved = spansOf(trace).find(({ name }) => name === 'POST /v1/messages/:id/approve')
    expect(spansOf(trace).find(({ parentSpanId }) => parentSpanId === approved?.spanId)).toMatchObject({
      ...{ name: 'wake', service: 'carillon-api', kind: 4 },
      attributes: { 'carillon.run.kind': 'message', 'carillon.run.id': id },
    })
  })
  const [first] = spansOf(trace).filter(({ name }) => name === 'messageIntent readMessage')
  expect(first!.attributes).toMatchObject({ 'carillon.run.kind': 'message', 'carillon.run.id': id })
  expect(receiver.headers['x-key']).toBe('a secret')
})

it('belongs to the call that let the message go, which refers to the one that made it', async () => {
  const id = await create(traceparentOf('b'))
  await post(`/v1/messages/${id}/submit`, traceparentOf('b'))
  await approve(id, traceparentOf('c'))
  await sent(id)
  await eventually(() => {
    const names = spansOf('c'.repeat(32)).map(({ name }) => name)
    expect(names).toContain('chat multicast')
    expect(names).toContain('POST /v1/messages/:id/approve')
  })
  const created = spansOf('b'.repeat(32))
  expect(created.map(({ name }) => name)).not.toContain('chat multicast')
  const [first] = created.filter(({ name }) => name === 'POST /v1/messages')
  const approved = spansOf('c'.repeat(32)).find(({ name }) => name.endsWith('/approve'))
  expect(approved!.links).toMatchObject([{ traceId: 'b'.repeat(32), spanId: first!.spanId }])
})

it('begins a trace for a caller that has none, and keeps out of that of one that is not recorded', async () => {
  const own = await create()
  const silent = await create(`00-${'d'.repeat(32)}-${'7'.repeat(16)}-00`)
  const last = await create(traceparentOf('e'))
  await eventually(() => expect(spansOf('e'.repeat(32))).toHaveLength(1))
  const spansAbout = (id: string) =>
    receiver.spans.filter(({ attributes }) => attributes['carillon.object_id'] === id)
  expect(spansAbout(last)).toHaveLength(1)
  expect(spansAbout(own)).toMatchObject([{ parentSpanId: '' }])
  expect(spansAbout(silent)).toEqual([])
})

it('brings a run that the reconciler begins anew back into the trace of its row', async () => {
  const id = await create(traceparentOf('f'))
  await database.db
    .updateTable('message')
    .set({ expires_at: new Date(), next_wakeup_at: new Date(Date.now() - 10_000) })
    .where('id', '=', id)
    .execute()
  await eventually(() => {
    const spans = spansOf('f'.repeat(32))
    expect(spans.find(({ name, service }) => name === 'wake' && service === 'carillon-worker')).toMatchObject(
      {
        attributes: { 'carillon.run.id': id, 'carillon.signal': 'overdue' },
      },
    )
    expect(spans.map(({ name }) => name)).toContain('messageIntent expireMessage')
  })
})

it('keeps a conversation in the trace of its start', async () => {
  const scenario = await insertScenario(database.db, { unitId, categoryId: 'news' })
  const { uid } = await database.db.selectFrom('subject').select('uid').executeTakeFirstOrThrow()
  await post(`/v1/scenarios/${scenario.id}/runs`, traceparentOf('9'), { subjectUids: [uid] })
  await eventually(() => {
    const [turn] = spansOf('9'.repeat(32)).filter(({ name }) => name === 'chat push')
    expect(turn && lineage(turn)).toEqual([
      'carillon-worker chat push',
      'carillon-worker scenarioRun sayTurn',
      'carillon-api POST /v1/scenarios/:id/runs',
    ])
  })
})

it('names the trace of a message to the callbacks of its unit', async () => {
  const hook = await openReceiver()
  await post('/v1/callbacks', undefined, {
    ...{ url: hook.url, types: ['message.state_changed', 'message.closed'] },
  })
  const id = await create(traceparentOf('4'))
  await post(`/v1/messages/${id}/submit`, traceparentOf('4'))
  await approve(id, traceparentOf('4'))
  await eventually(() => expect(hook.received.at(-1)?.body).toContain('"message.closed"'))
  await eventually(() => {
    const delivered = spansOf('4'.repeat(32)).filter(({ name }) => name === 'callback POST')
    expect(hook.received.map(({ headers }) => headers.traceparent)).toEqual(
      delivered.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
    )
    expect(lineage(delivered[0]!)).toEqual([
      'carillon-worker callback POST',
      'carillon-worker callback deliver',
      'carillon-api POST /v1/messages',
    ])
  })
})

it('names the trace of a conversation to the system that its Lookup asks', async () => {
  const far = await producer()
  const { db } = database
  const endpoint = { origin: far.url, unit_id: null, key_id: null, created_by: 'operator:test' }
  await db.insertInto('lookup_endpoint').values(endpoint).execute()
  const scenario = await insertScenario(db, {
    unitId,
    categoryId: 'news',
    content: {
      nodes: [
        { id: 'ask', kind: 'lookup', method: 'GET', url: far.orders, variables: [] },
        { id: 'end', kind: 'end' },
      ],
      edges: [
        { from: 'ask', to: 'end' },
        { from: 'ask', to: 'end', when: { kind: 'error' } },
      ],
    },
  })
  const { uid } = await db.selectFrom('subject').select('uid').executeTakeFirstOrThrow()
  await post(`/v1/scenarios/${scenario.id}/runs`, traceparentOf('8'), { subjectUids: [uid] })
  await eventually(async () => {
    const [span] = spansOf('8'.repeat(32)).filter(({ name }) => name === 'lookup GET')
    expect(span && lineage(span)).toEqual([
      'carillon-worker lookup GET',
      'carillon-worker scenarioRun lookUp',
      'carillon-api POST /v1/scenarios/:id/runs',
    ])
    const [call] = await far.received()
    expect(call!.headers.traceparent).toBe(`00-${span!.traceId}-${span!.spanId}-01`)
    expect(call!.refusal).toBeNull()
  })
})

it('serves as before while the receiver is down, and logs that spans are dropped', async () => {
  const alone = await startApi({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
  const ask = () => fetch(`${alone.url}/v1/messages`, { headers: { authorization: `Bearer ${key}` } })
  expect((await ask()).status).toBe(200)
  await alone.process.logged(/Traces cannot be exported/)
  expect((await ask()).status).toBe(200)
  alone.process.signal('SIGTERM')
  expect(await alone.process.exited).toEqual({ code: 0, signal: null })
})

it('does not load the SDK of OpenTelemetry, and records nothing, where the settings name no address', async () => {
  const hook = `import { registerHooks } from 'node:module'
    registerHooks({ resolve(specifier, context, next) {
      if (specifier.includes('opentelemetry')) console.error('loaded ' + specifier)
      return next(specifier, context)
    } })`
  const watched = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`]
  const { OTEL_EXPORTER_OTLP_ENDPOINT: _, OTEL_EXPORTER_OTLP_HEADERS: __, ...off } = env
  for (const [entry, started] of [
    ['src/server.ts', /Server listening/],
    ['src/worker.ts', /Polling Temporal/],
  ] as const) {
    const on = await spawnProcess('traced', [...watched, entry], env)
    await on.logged(started)
    expect(on.log()).toContain('loaded @opentelemetry/sdk-trace')
    const without = await spawnProcess('untraced', [...watched, entry], off)
    await without.logged(started)
    // prom-client brings the interfaces, for exemplars that are not used.
    expect(without.log()).not.toMatch(/@opentelemetry\/(?!api\b)/)
    await Promise.all([on.stop(), without.stop()])
  }
})

it('says nothing about people', async () => {
  const people = await database.db
    .selectFrom('subject')
    .innerJoin('address', 'address.subject_id', 'subject.id')
    .select(['subject.id', 'uid', 'address'])
    .execute()
  const bodies = receiver.bodies.join('\n')
  for (const { id, uid, address } of people)
    for (const personal of [id, uid, address, text]) expect(bodies).not.toContain(personal)
})
