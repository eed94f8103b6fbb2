import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { callbackRequests } from '../../../src/contract/callbacks/event.ts'
import { usualCallbackTypes } from '../../../src/contract/enums.ts'
import { limits } from '../../../src/contract/limits.ts'
import { takeCallbackDeliveries } from '../../../src/db/queries/callback/delivery.ts'
import { announceFailures, type FailedBatch } from '../../../src/db/queries/callback/failures.ts'
import { openForRun } from '../../../src/db/queries/handoff/handoff.ts'
import { deliver } from '../../../src/services/callbacks/deliver.ts'
import { writeNextChunk } from '../../../src/services/imports/write-chunk.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { eraseSubject } from '../../../src/services/subjects/erase.ts'
import { registerReceiver } from '../../fixtures/callback-receiver.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { insertPattern, walkOn } from '../../fixtures/patterns.ts'
import { insertRow, selectRow } from '../../fixtures/rows.ts'
import { insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { insertSentMessage } from '../../fixtures/sent-message.ts'
import { startWebhookApi } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

const outbound = openOutbound({ allow: [{ host: '127.0.0.1', port: '*' }] })
const api = forFile(() => startWebhookApi({ outbound }))
afterAll(() => outbound.close())
let individual: string
let administrative: string
beforeEach(async () => {
  await api.database.db.deleteFrom('callback_delivery').execute()
  await api.database.db.deleteFrom('callback').execute()
  individual = await api.newKey(api.units.a, { individualTargeting: true })
  administrative = await api.newKey(await administrativeUnit(), { individualTargeting: true })
})

async function administrativeUnit(): Promise<string> {
  const unit = api.database.db.selectFrom('unit').select('id').where('kind', '=', 'administrative')
  return (await unit.executeTakeFirstOrThrow()).id
}

/** Tries everything that waits, as if its pause were over; what was received is as described. */
async function deliverAll(receiver: {
  received: { body: string }[]
}): Promise<{ type: string; data: object }[]> {
  const { services } = api
  const parts = { db: services.db, outbound, secrets: services.secrets!, log: services.log }
  const slots = { limit: 10, perCallback: 100, perUnit: 100, busy: {}, leaseSeconds: 30 }
  for (;;) {
    await sql`update callback_delivery set next_try_at = clock_timestamp() where outcome = 'pending'`.execute(
      services.db,
    )
    const due = await services.db.transaction().execute((trx) => takeCallbackDeliveries(trx, slots))
    if (due.length === 0) break
    for (const one of due) await deliver(parts, one)
  }
  return receiver.received.map(({ body }) => {
    const sent = JSON.parse(body) as { type: keyof typeof callbackRequests; data: object }
    expect(callbackRequests[sent.type].schema.parse(sent)).toEqual(sent)
    return sent
  })
}

const person = async (uid = 's1') =>
  api.database.db.selectFrom('subject').select(['id', 'uid']).where('uid', '=', uid).executeTakeFirstOrThrow()

it('a callback that names no types receives those of before', async () => {
  expect((await registerReceiver(api, individual)).types).toEqual(usualCallbackTypes)
})

describe('preferences', () => {
  const put = (body: object) =>
    api.database.db.transaction().execute(async (trx) => {
      const { changePreferences } = await import('../../../src/services/recipients/preferences.ts')
      await changePreferences(trx, (await person()).id, body)
    })

  it('are reported to administrative units as they were switched, once', async () => {
    const receiver = await registerReceiver(api, administrative, ['preference.changed'])
    await put({ categories: { news: { email: false } } })
    await put({ categories: { news: { email: false } } })
    await put({ language: 'en' })
    const sent = await deliverAll(receiver)
    expect(sent.map(({ data }) => data)).toMatchObject([
      { uid: 's1', categories: { news: { email: false } }, topics: {} },
      { uid: 's1', categories: {}, language: 'en' },
    ])
    await put({ language: 'zh-TW', categories: { news: { email: true } } })
  })

  it('are not reported to other units, nor to a key that may not name people', async () => {
    const other = await registerReceiver(api, individual, ['preference.changed'])
    const nameless = await registerReceiver(api, api.keys.administrative, ['preference.changed'])
    await put({ categories: { news: { chat: false } } })
    expect(await deliverAll(other)).toEqual([])
    expect(await deliverAll(nameless)).toEqual([])
    await put({ categories: { news: { chat: true } } })
  })
})

it('a suppressed address is reported to administrative units, and no more once the person is erased', async () => {
  const receiver = await registerReceiver(api, administrative, ['address.suppressed'])
  const { db } = api.database
  const { id } = await insertRow(db, 'subject', { uid: 'bounced' })
  const address = 'bounced@example.edu'
  await db.insertInto('address').values({ subject_id: id, channel: 'email', address }).execute()
  await api.postRaw('email', JSON.stringify({ events: [{ id: 'c1', type: 'complaint', address }] }))
  await api.processAll()
  expect(await deliverAll(receiver)).toMatchObject([
    { type: 'address.suppressed', data: { uid: 'bounced', channel: 'email', reason: 'complaint' } },
  ])
  await sql`update callback_delivery set outcome = 'pending', next_try_at = now()`.execute(db)
  expect(typeof eraseSubject).toBe('function')
  await db.deleteFrom('subject').where('id', '=', id).execute()
  expect(await db.selectFrom('callback_delivery').select('id').execute()).toEqual([])
})

it('an import is reported once it is done, to its unit', async () => {
  const receiver = await registerReceiver(api, administrative, ['import.closed'])
  const headers = { 'content-type': 'application/x-ndjson' }
  const key = administrative
  await api.call('createImport', { key, raw: '{"uid": "imported"}\n{"stage": "member"}\n', headers })
  while (await writeNextChunk(api.services));
  expect(await deliverAll(receiver)).toMatchObject([{ data: { lines: 2, written: 1, rejected: 1 } }])
})

it('a handoff is reported when it opens and closes, in this order, a test not at all', async () => {
  const receiver = await registerReceiver(api, api.keys.a, ['handoff.opened', 'handoff.closed'])
  const { db } = api.database
  const pattern = await insertPattern(db, {}, api.units.a)
  const { id: subjectId } = await person()
  const runId = await insertScenarioRun(db, { scenario: pattern.scenario, subjectId, columns: {} })
  const of = { unitId: api.units.a, subjectId, runId, node: 'in' }
  const id = await db.transaction().execute((trx) => openForRun(trx, { ...of, test: false }))
  await db.transaction().execute((trx) => openForRun(trx, { ...of, node: 'out', test: true }))
  expect((await api.call('closeHandoff', { key: individual, id })).status).toBe(200)
  const sent = await deliverAll(receiver)
  expect(sent.map(({ type }) => type)).toEqual(['handoff.opened', 'handoff.closed'])
  expect(sent[1]!.data).toEqual({ unitId: api.units.a, handoffId: id, runId, reason: 'closed' })
})

it('a place is reported as it is taken, waited for, given up and passed on', async () => {
  const receiver = await registerReceiver(api, individual, ['registration.changed'])
  const { db } = api.database
  const pattern = await insertPattern(db, { capacity: 1 }, api.units.a)
  const begin = async (uid: string) => {
    const columns = { node: 'take', started_by: 'key:test' }
    const { id: subjectId } = await person(uid)
    const run = await insertScenarioRun(db, { scenario: pattern.scenario, subjectId, columns })
    await walkOn(api.services, run)
    return run
  }
  const first = await begin('s1')
  await begin('s2')
  await sql`update scenario_run set node = 'leave', state = 'running', version = version + 1 where id = ${first}`.execute(
    db,
  )
  await walkOn(api.services, first)
  const sent = await deliverAll(receiver)
  expect(sent.map(({ data }) => data)).toMatchObject([
    { uid: 's1', patternId: pattern.id, state: 'registered', position: 1 },
    { uid: 's2', state: 'waitlisted', position: 2 },
    { uid: 's1', state: 'withdrawn' },
    { uid: 's2', state: 'registered' },
  ])
})

describe('failed deliveries', () => {
  /** A message with so many failed deliveries in each batch. */
  async function failed(perBatch: number[]): Promise<{ messageId: string; batches: FailedBatch[] }> {
    const { db } = api.database
    const { id: messageId, waveId } = await insertSentMessage(api, newMessage)
    for (const [batch, count] of perBatch.entries())
      await sql`
        with person as (
          insert into subject (uid) select ${waveId} || '-' || ${batch}::int || '-' || n from generate_series(1, ${count}::int) n
          returning id
        )
        insert into delivery (wave_id, subject_id, channel, batch, state, reason)
        select ${waveId}, id, 'email', ${batch + 100}::int, 'failed', 'bad_address' from person`.execute(db)
    const batches = perBatch.map((count, batch) => ({
      ...{ waveId, channel: 'email' as const },
      ...{ number: batch + 100, failed: count },
    }))
    return { messageId, batches }
  }
  const announce = (messageId: string, batches: FailedBatch[]) =>
    api.database.db
      .transaction()
      .execute((trx) => announceFailures(trx, { unitId: api.units.a, messageId }, batches))

  it('of a minute are reported together', async () => {
    const receiver = await registerReceiver(api, individual, ['delivery.failed'])
    const { messageId, batches } = await failed([2, 1, 3])
    for (const batch of batches) await announce(messageId, [batch])
    const [{ due }] = (
      await sql<{ due: number }>`select extract(epoch from next_try_at - clock_timestamp())::float8 as due
        from callback_delivery`.execute(api.database.db)
    ).rows as [{ due: number }]
    expect(due).toBeGreaterThan(50)
    const sent = await deliverAll(receiver)
    expect(sent).toHaveLength(1)
    const { failures } = sent[0]!.data as { failures: { uid: string; reason: string }[] }
    expect(failures).toHaveLength(6)
    expect(failures[0]).toMatchObject({ channel: 'email', reason: 'bad_address' })
  })

  it('of a whole wave are some hundred requests, none of them large', async () => {
    const receiver = await registerReceiver(api, individual, ['delivery.failed'])
    const { messageId } = await failed([1])
    const waveId = (await selectRow(api.database.db, 'wave', { message_id: messageId }, ['id'])).id
    const many = Array.from({ length: 782 }, (_, number) => ({
      waveId,
      channel: 'email' as const,
      number: number + 1_000,
      failed: 128,
    }))
    for (let at = 0; at < many.length; at += 16) await announce(messageId, many.slice(at, at + 16))
    const { rows } = await sql<{ people: number }>`
      select (data ->> 'people')::int as people from callback_delivery order by id`.execute(api.database.db)
    expect(rows.reduce((sum, { people }) => sum + people, 0)).toBe(782 * 128)
    expect(rows.length).toBeLessThanOrEqual(Math.ceil((782 * 128) / limits.failuresPerCallback))
    expect(Math.max(...rows.map(({ people }) => people))).toBeLessThan(2 * limits.failuresPerCallback)
    expect(receiver.received).toEqual([])
  })

  it('are reported to nobody who may not name people, and cost nothing where nothing failed', async () => {
    const receiver = await registerReceiver(api, api.keys.a, ['delivery.failed'])
    const { messageId, batches } = await failed([2])
    await announce(messageId, batches)
    expect(await deliverAll(receiver)).toEqual([])
  })

  it('are withheld once the key has lost its right', async () => {
    const receiver = await registerReceiver(api, individual, ['delivery.failed'])
    const { messageId, batches } = await failed([2])
    await announce(messageId, batches)
    await sql`update producer_key set individual_targeting = false where id = ${individual.split('_')[1]!}`.execute(
      api.database.db,
    )
    expect(await deliverAll(receiver)).toEqual([])
    const { rows } = await sql`select outcome, code from callback_delivery`.execute(api.database.db)
    expect(rows).toEqual([{ outcome: 'failed', code: 'individual_targeting_disabled' }])
  })
})
