import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finishWave } from '../../../src/activities/delivery/finish-wave.ts'
import { resolveAudience } from '../../../src/activities/delivery/resolve-audience.ts'
import { sendSlice } from '../../../src/activities/delivery/send-slice.ts'
import { sendSmallWave } from '../../../src/activities/delivery/send-small-wave.ts'
import { startWave } from '../../../src/activities/delivery/start-wave.ts'
import { writeDeliveries } from '../../../src/activities/delivery/write-deliveries.ts'
import { createActivities } from '../../../src/activities/index.ts'
import { advanceRun } from '../../../src/activities/scenario/advance-run.ts'
import { settleLookup } from '../../../src/activities/scenario/look-up.ts'
import { sendNextReply, sendTurn } from '../../../src/activities/scenario/send-turn.ts'
import type { Task } from '../../../src/background/poll-loop.ts'
import { backgroundTasks } from '../../../src/background/tasks.ts'
import { insertAudit } from '../../../src/db/queries/audit/audit.ts'
import { checkInvariants } from '../../../src/db/queries/doctor/doctor.ts'
import { eraseSubject as eraseRows } from '../../../src/db/queries/erasure/record.ts'
import { insertWebhookEvents } from '../../../src/db/queries/event/webhook.ts'
import { insertHandoffNotices } from '../../../src/db/queries/handoff/notice.ts'
import { insertReply } from '../../../src/db/queries/handoff/reply.ts'
import { insertUnit } from '../../../src/db/queries/identity/unit.ts'
import type { ProducerPrincipal } from '../../../src/domain/rights/principal.ts'
import { createKey } from '../../../src/services/admin/keys.ts'
import { createCallback } from '../../../src/services/callbacks/change.ts'
import { performLookup } from '../../../src/services/lookups/perform-lookup.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { secretBox } from '../../../src/services/secret-box.ts'
import { eraseSubject } from '../../../src/services/subjects/erase.ts'
import { conversation } from '../../fixtures/conversations.ts'
import { makeDeliveryFixture, type ScriptedDelivery } from '../../fixtures/delivery.ts'
import { activityAttempt, runUntilWait } from '../../fixtures/delivery-steps.ts'
import { completeErasures, placesOf } from '../../fixtures/erasure.ts'
import { insertHandoff, insertSpokenIn } from '../../fixtures/handoffs.ts'
import { registerProducer } from '../../fixtures/lookup-endpoint.ts'
import { producerPrincipal } from '../../fixtures/message-fixture.ts'
import { producer } from '../../fixtures/producer.ts'
import { keepAll } from '../../fixtures/retention.ts'
import { insertRow, insertRows } from '../../fixtures/rows.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { targetingRights } from '../../fixtures/seed.ts'
import { byCall, byMails } from '../../fixtures/senders.ts'
import { approvedSend, startedSend } from '../../fixtures/sends.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { holdTransaction } from '../../harness/lock-waits.ts'

/**
 * Whatever asks something, or reads it, and writes later what it has found, writes nothing about somebody who was erased in
 * between. Each activity and each background task stands in one of the tables.
 */
let database: FreshDatabase
let fixture: ScriptedDelivery
let administrative: ProducerPrincipal
let tasks: Map<string, Task>
beforeAll(async () => {
  database = await freshDatabase()
  fixture = await makeDeliveryFixture(database.db)
  const unit = await insertUnit(database.db, { name: 'Office', kind: 'administrative' })
  administrative = producerPrincipal(unit.id, { unitKind: 'administrative' })
  const { senders } = fixture.delivery
  senders.chat = byCall(async (call) => {
    await erase()
    return fixture.provider.send(call)
  })
  senders.email = byMails(async ({ to }) => {
    await erase()
    return to.map(() => ({ kind: 'accepted' }))
  })
  const far = openOutbound({ allow: [{ host: '127.0.0.1', port: '*' }] })
  Object.assign(fixture.services, {
    secrets: secretBox(Buffer.alloc(32, 1)),
    publicUrl: 'https://hub.example.edu',
    log: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
    outbound: {
      ...far,
      faultOf: () => null,
      ask: async (...args: Parameters<typeof far.ask>) => {
        const answer = await far.ask(...args)
        await erase()
        return answer
      },
      post: async () => {
        await erase()
        return { status: 200, code: null }
      },
    },
  })
  tasks = new Map(allTasks().map((task) => [task.name, task]))
})
afterAll(async () => {
  await fixture.services.outbound.close()
  await database.drop()
})

function allTasks(): Task[] {
  const { services, delivery } = fixture
  return backgroundTasks({
    services,
    runs: { db: services.db } as never,
    wedged: { restart: false, release: '' },
    retention: keepAll,
    sayReply: () => sendNextReply(delivery),
    mailSender: fixture.delivery.senders.email,
  })
}

const logged: string[] = []

/** Who is erased by the next far end that is asked. */
let about: Person | undefined
async function erase(): Promise<void> {
  const person = about
  about = undefined
  if (person) await eraseSubject(fixture.services, administrative, person.uid)
}

/** Somebody of whom everything contains the token. */
type Person = { token: string; uid: string; id: string; chat: string }

async function somebody(): Promise<Person> {
  const { db } = database
  const token = randomUUID().replaceAll('-', '')
  const [uid, chat] = [`uid-${token}`, `U${token}`]
  const { id } = await insertRow(db, 'subject', {
    uid,
    display_name: `Name ${token}`,
    tags: [`tag:${token}`],
  })
  await insertRows(db, 'address', [
    { subject_id: id, channel: 'chat', address: chat },
    { subject_id: id, channel: 'email', address: `${token}@mail.example.edu` },
  ])
  return { token, uid, id, chat }
}

const individual = () => ({
  ...fixture,
  producer: producerPrincipal(fixture.unit.id, { individualTargeting: true }),
})
const toOne = ({ uid, token }: Person, categoryId = 'chats') => ({
  ...{ categoryId, audience: { kind: 'individual' as const, uids: [uid] } },
  messages: [{ kind: 'text' as const, text: { 'zh-TW': `給 ${token}` } }],
})

async function runOf({ id, token }: Person, content: object = conversation): Promise<string> {
  const { db } = database
  const scenario = await insertScenario(db, { unitId: fixture.unit.id, content })
  const columns = { node: scenarioStart(content), variables: JSON.stringify({ about: token }) }
  return insertScenarioRun(db, { scenario, subjectId: id, columns })
}

const scenarioStart = (content: object) => (content as typeof conversation).nodes[0]!.id

/** An open handoff in which they have written. */
async function handoffOf(person: Person): Promise<string> {
  const { db } = database
  const id = await insertHandoff(db, {
    ...{ unit_id: fixture.unit.id, subject_id: person.id, channel_user: person.chat },
  })
  await insertSpokenIn(db, { id, subjectId: person.id }, `said ${person.token}`)
  return id
}

async function runTask(name: string): Promise<void> {
  const task = tasks.get(name)!
  while (await task.run());
  await task.finish?.()
}

/** Expects that nothing is left of a person: in any column of any table, in the log. */
async function expectForgotten({ token }: Person, messageId?: string): Promise<void> {
  if (messageId) await runUntilWait(fixture, messageId)
  await completeErasures(database.db)
  expect(await placesOf(database.db, token)).toEqual([])
  expect(logged.filter((line) => line.includes(token))).toEqual([])
}

/** What asks a far end: by the name of the activity or the task. Returns the message that was sent, if it was one. */
const asking: Record<string, (person: Person) => Promise<string | undefined>> = {
  async sendSlice(person) {
    const { id, waveId } = await startedSend(individual(), '', toOne(person))
    await sendSlice(fixture.delivery, activityAttempt(), waveId, 'chat')
    return id
  },
  async 'sendSlice (mail)'(person) {
    const { id, waveId } = await startedSend(individual(), '', toOne(person, 'letters'))
    await sendSlice(fixture.delivery, activityAttempt(), waveId, 'email')
    return id
  },
  async sendSmallWave(person) {
    const { id } = await approvedSend(individual(), '', toOne(person))
    await sendSmallWave(fixture.delivery, activityAttempt(), id, 'chat')
    return id
  },
  async sayTurn(person) {
    const runId = await runOf(person)
    await advanceRun(fixture.services, runId)
    await sendTurn(fixture.delivery, activityAttempt(), runId)
    await advanceRun(fixture.services, runId)
    return undefined
  },
  async lookUp(person) {
    const far = await producer()
    await registerProducer(database.db, far.url)
    await far.fault({ body: JSON.stringify({ found: person.token }) })
    const node = { id: 'ask', kind: 'lookup', method: 'POST', url: far.orders, variables: ['about'] }
    const runId = await runOf(person, {
      nodes: [node, { id: 'end', kind: 'end' }],
      edges: [{ from: 'ask', to: 'end' }],
    })
    const request = { runId, mayBegin: () => true }
    const settle = (...[trx, node, result]: Parameters<Parameters<typeof performLookup>[1]['settle']>) =>
      settleLookup(trx, runId, node, result)
    await performLookup(fixture.services, { ...request, settle })
    expect(await far.received()).toHaveLength(1)
    expect(await scenarioRunRow(database.db, runId)).toMatchObject({ variables: {}, reason: 'erased' })
    return undefined
  },
  async 'reply-send'(person) {
    const handoffId = await handoffOf(person)
    const messages = [{ kind: 'text' as const, text: { 'zh-TW': `您好 ${person.token}` } }]
    const call = {
      handoffId,
      subjectId: person.id,
      idempotencyKey: null,
      bodyHash: Buffer.alloc(32),
      words: null,
    }
    await database.db.transaction().execute(async (trx) => {
      const messageId = await insertReply(trx, { ...call, actor: 'key:test', says: [{ node: '', messages }] })
      const about = { unitId: fixture.unit.id, objectKind: 'handoff', objectId: handoffId } as const
      await insertAudit(trx, { ...about, actor: 'key:test', action: 'reply', details: { messageId } })
    })
    await runTask('reply-send')
    return undefined
  },
  async 'callback-deliver'(person) {
    const { db } = database
    const { services, unit } = fixture
    const { key } = await createKey(db, 'operator:cli', { unitId: unit.id, name: 'key', ...targetingRights })
    const by = producerPrincipal(unit.id, { individualTargeting: true, keyId: key.split('_')[1]! })
    const { id: messageId } = await approvedSend(individual(), '', toOne(person))
    const types = ['message.answered' as const]
    const callback = await createCallback(services, by, { url: 'https://hooks.example.edu', types })
    await insertRow(db, 'callback_delivery', {
      ...{
        callback_id: callback.id,
        message_id: messageId,
        type: 'message.answered',
        state: 'sent',
        version: 1,
      },
      ...{ subject_id: person.id, next_try_at: new Date(0) },
      data: JSON.stringify({ optionId: person.token, data: null }),
    })
    await runTask('callback-deliver')
    return messageId
  },
  async 'notice-send'(person) {
    const handoffId = await handoffOf(person)
    await database.db.transaction().execute((trx) => insertHandoffNotices(trx, handoffId))
    await runTask('notice-send')
    return undefined
  },
}

/** What reads rows and writes others: what is there when it begins, and the act. */
const working: Record<
  string,
  (person: Person) => Promise<{ act: () => Promise<unknown>; messageId?: string }>
> = {
  async resolveAudience(person) {
    const { id } = await approvedSend(individual(), '', toOne(person))
    return { act: () => resolveAudience(fixture.delivery, activityAttempt(), id), messageId: id }
  },
  async 'resolveAudience of a wave that has begun'(person) {
    const { id, waveId } = await approvedSend(individual(), '', toOne(person))
    await startWave(fixture.delivery, id)
    return { act: () => writeDeliveries(fixture.delivery, waveId), messageId: id }
  },
  async finishWave(person) {
    const { id, waveId } = await startedSend(individual(), '', toOne(person))
    await sendSlice(fixture.delivery, activityAttempt(), waveId, 'chat')
    return { act: () => finishWave(fixture.delivery, activityAttempt(), id), messageId: id }
  },
  async advanceRun(person) {
    const runId = await runOf(person)
    return { act: () => advanceRun(fixture.services, runId) }
  },
  async 'webhook-apply'(person) {
    await handoffOf(person)
    const message = { type: 'text', text: `Hear ${person.token}` }
    const event = { eventId: randomUUID(), type: 'message', address: person.chat, subjectId: null }
    await insertWebhookEvents(database.db, 'chat', [
      {
        ...event,
        occurredAt: new Date().toISOString(),
        payload: { type: 'message', message },
        outcome: null,
      },
    ])
    return { act: () => runTask('webhook-apply') }
  },
  async 'event-settle'(person) {
    await insertRow(database.db, 'event', {
      ...{
        source: 'test',
        event_id: person.token.slice(16),
        type: 't',
        occurred_at: new Date(),
        key_id: 'k',
      },
      ...{
        subject_uids: [person.uid],
        data: JSON.stringify({ of: person.token }),
        next_try_at: new Date(),
      },
    })
    return { act: () => runTask('event-settle') }
  },
  async 'import-write'(person) {
    const { id } = await database.db
      .insertInto('import')
      .values({ state: 'queued', actor: 'key:test', format: 'ndjson', lines: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const lines = [{ line: 1, record: { uid: person.uid, displayName: person.token, chat: person.chat } }]
    await insertRow(database.db, 'import_chunk', { import_id: id, number: 1, lines: JSON.stringify(lines) })
    return { act: () => runTask('import-write') }
  },
  async 'wave-rollup'(person) {
    const { id, waveId } = await startedSend(individual(), '', toOne(person))
    await sendSlice(fixture.delivery, activityAttempt(), waveId, 'chat')
    await runUntilWait(fixture, id)
    return { act: () => runTask('wave-rollup'), messageId: id }
  },
  ...Object.fromEntries(
    [
      'read-count',
      'night-close',
      'people-count',
      'pattern-count',
      'handoff-close',
      'scenario-retire',
      'pattern-wake',
    ]
      .concat('retention-purge')
      .map((name) => [
        name,
        async (person: Person) => {
          await runOf(person)
          await handoffOf(person)
          return { act: () => runTask(name) }
        },
      ]),
  ),
}

/** What writes states, times and counts alone, and never what it has read of people. */
const impersonal = [
  ...[
    'readMessage',
    'reserveQuota',
    'applyOperatorMove',
    'expireMessage',
    'applyRunRequest',
    'applyScheduleRequest',
  ],
  // An occurrence holds the lock of its schedule, which an erasure takes first (test/integration/schedules).
  ...['readSchedule', 'makeOccurrence'],
  ...[
    'run-wake',
    'run-restart',
    'run-admit',
    'start-end',
    'signature-purge',
    'rate-purge',
    'erasure-complete',
    'media-purge',
  ],
]

it('each activity and each background task is in a table', () => {
  const { services, delivery } = fixture
  const { main, channel, lookup } = createActivities({
    services,
    senders: delivery.senders,
    drain: { draining: false },
  })
  const names = [main, channel, lookup].flatMap((activities) => Object.keys(activities))
  const cases = [...Object.keys(asking), ...Object.keys(working), ...impersonal].map(
    (name) => name.split(' ')[0],
  )
  expect([...new Set(cases)].sort()).toEqual([...new Set([...names, ...tasks.keys()])].sort())
  console.log(
    `erasures: ${Object.keys(asking).length} far ends asked, ${Object.keys(working).length} works interrupted, ` +
      `${impersonal.length} impersonal`,
  )
})

describe('somebody who is erased while a far end is asked about them', () => {
  it.each(Object.keys(asking))('is forgotten by %s', async (name) => {
    const person = await somebody()
    about = person
    const messageId = await asking[name]!(person)
    expect(about).toBeUndefined()
    await expectForgotten(person, messageId)
  })
})

describe('somebody whose erasure commits in the middle of a work', () => {
  it.each(Object.keys(working))('is forgotten by %s', async (name) => {
    const person = await somebody()
    const { act, messageId } = await working[name]!(person)
    const commit = await holdTransaction(database.db, (trx) => eraseRows(trx, person))
    let over = false
    const acting = act().then(
      () => (over = true),
      () => (over = true), // tried again below, as by its queue
    )
    await eventually(async () => expect(over || (await isBlocked())).toBe(true))
    await commit()
    await acting
    await act()
    await expectForgotten(person, messageId)
  })
})

async function isBlocked(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    database.db,
  )
  return rows.length > 0
}

it('leaves every invariant as it was', async () => {
  expect((await checkInvariants(database.db)).filter(({ ok }) => !ok)).toEqual([])
})
