import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { registerQueueMetrics } from '../../../src/metrics/rows.ts'
import { event, signature, startWebhookApi, webhookSecrets } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'
import { refuseWrites } from '../../harness/write-refusal.ts'

const api = forFile(startWebhookApi)

/** An odd event first, a valid one behind it. */
const postChat = (odd: string, valid: object) =>
  api.postRaw('chat', `{"destination":"U1","events":[${odd},${JSON.stringify(valid)}]}`)
const postMail = (odd: string, valid: object) =>
  api.postRaw('email', `{"events":[${odd},${JSON.stringify(valid)}]}`)

const stored = (eventId: string) =>
  api.database.db
    .selectFrom('webhook_event')
    .selectAll()
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow()
const newest = async (n: number) => {
  const rows = await api.database.db
    .selectFrom('webhook_event')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(n)
    .execute()
  return rows.reverse()
}

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const user = '"source":{"type":"user","userId":"Us1"}'

describe('a malformed chat event does not keep others from being stored, where', () => {
  it.each([
    ['a text holds a NUL character', `{"type":"message",${user},"message":{"text":"a\\u0000b"}}`],
    ['a text holds half a surrogate pair', `{"type":"message",${user},"message":{"text":"a\\ud800"}}`],
    ['a key holds a NUL character', `{"type":"message",${user},"x\\u0000":1}`],
    ['it has no source', '{"type":"follow","source":null}'],
    ['it has no id', `{"type":"message","webhookEventId":null,${user}}`],
    ['its id holds a NUL character', `{"type":"message","webhookEventId":"a\\u0000",${user}}`],
    ['its person holds a NUL character', '{"type":"message","source":{"type":"user","userId":"U\\u0000"}}'],
    ['it happened in the year 10000', `{"type":"message","timestamp":253402300800000,${user}}`],
    ['its timestamp is out of range', `{"type":"message","timestamp":1e300,${user}}`],
    ['its timestamp is infinite', `{"type":"message","timestamp":1e999,${user}}`],
    ['it happened before 1970', `{"type":"message","timestamp":-1,${user}}`],
    ['it is nested deep', `{"type":"message",${user},"message":${deep(1_000)}}`],
    ['it is nested deeper than a stack', `{"type":"message",${user},"message":${deep(100_000)}}`],
    [
      'it would reach a prototype',
      `{"type":"message",${user},"__proto__":{"x":1},"constructor":{"prototype":1}}`,
    ],
  ])('%s: as much of it as possible is stored', async (_, one) => {
    const odd = one.replace('{', `{"n":"${randomUUID()}",`)
    const valid = event('message', 'Us2')
    expect((await postChat(odd, valid)).body).toEqual({ stored: 2 })
    const [first, second] = await newest(2)
    expect(second!.event_id).toBe(valid.webhookEventId)
    expect(first!.outcome).toBeNull()
    const age = Date.now() - first!.occurred_at.getTime()
    expect(age).toBeGreaterThanOrEqual(0)
    expect(age).toBeLessThan(60_000)
    expect((await postChat(odd, valid)).body).toEqual({ stored: 0 })
    await api.processAll()
  })

  it.each([
    ['it has no type', `{${user}}`],
    ['its type is a number', `{"type":7,${user}}`],
    ['its type is empty', `{"type":"",${user}}`],
    ['its type is endless', `{"type":"${'x'.repeat(101)}",${user}}`],
    ['its id is a number', `{"type":"follow","webhookEventId":7,${user}}`],
    ['its moment is a text', `{"type":"unfollow","timestamp":"now",${user}}`],
    ['its person is a number', '{"type":"follow","source":{"type":"user","userId":7}}'],
    ['its source is a text', '{"type":"follow","source":"user"}'],
    ['its data are an object', `{"type":"postback","postback":{"data":{"m":1}},${user}}`],
    ['it is null', 'null'],
    ['it is a number', '7'],
    ['it is a text', '"follow\\u0000"'],
    ['it is a list', '[[]]'],
    ['it is a list nested deeper than a stack', deep(100_000)],
  ])('%s: it is stored as unreadable', async (_, odd) => {
    const valid = event('message', 'Us2')
    expect((await postChat(odd, valid)).body).toEqual({ stored: 1, unreadable: 1 })
    const [first] = await newest(2)
    expect(first).toMatchObject({ type: 'unreadable', outcome: 'unreadable', done_at: expect.any(Date) })
    expect((await postChat(odd, valid)).body).toEqual({ stored: 0 })
    await api.processAll()
    expect((await api.person('s1')).blocked).toBeNull()
  })

  it('the database rejects it', async () => {
    const { db } = api.database
    const end = await refuseWrites(db, {
      event: 'insert',
      table: 'webhook_event',
      row: `new.type = 'beacon'`,
    })
    const [odd, before, behind] = [event('beacon', 'Us1'), event('message', 'Us2'), event('message', 'Us3')]
    expect((await api.postEvents(before, odd, behind)).body).toEqual({ stored: 2, unreadable: 1 })
    await end()
    expect(await stored(odd.webhookEventId)).toMatchObject({ type: 'unreadable', address: null, payload: {} })
    expect((await api.postEvents(before, odd, behind)).body).toEqual({ stored: 0 })
    await api.processAll()
  })
})

it('an unfollow is applied although another text in it is odd', async () => {
  const odd = `{"type":"unfollow","mode":"\\ud800\\u0000",${user},"timestamp":${Date.now()}}`
  await postChat(odd, event('message', 'Us2'))
  await api.processAll()
  expect((await api.person('s1')).blocked).toBeInstanceOf(Date)
  await api.happens(event('follow', 'Us1'))
  expect((await api.person('s1')).blocked).toBeNull()
})

it('an event dated far ahead does not overtake later ones', async () => {
  await api.happens(event('follow', 'Us2', { timestamp: 253_402_300_800_000 }))
  await api.happens(event('unfollow', 'Us2', { timestamp: Date.now() + 1_000 }))
  expect((await api.person('s2')).blocked).toBeInstanceOf(Date)
})

it('a redelivery of an event without an id changes nothing', async () => {
  const { webhookEventId: _, ...nameless } = event('message', 'Us1')
  expect((await api.postEvents(nameless)).body).toEqual({ stored: 1 })
  expect((await api.postEvents({ ...nameless, deliveryContext: { isRedelivery: true } })).body).toEqual({
    stored: 0,
  })
})

it('an unreadable event is stored once it arrives in a readable form', async () => {
  const { webhookEventId, ...rest } = event('message', 'Us1')
  expect((await api.postEvents({ ...rest, webhookEventId, timestamp: 'now' })).body).toEqual({
    stored: 0,
    unreadable: 1,
  })
  expect((await api.postEvents({ ...rest, webhookEventId })).body).toEqual({ stored: 1 })
})

it('bytes that are not UTF-8 do not cause the whole list to be rejected', async () => {
  const raw = Buffer.from(
    JSON.stringify({ events: [event('message', 'UX')] }).replace('UX', 'U\u00ff'),
    'latin1',
  )
  const answer = await api.app.inject({
    method: 'POST',
    url: '/v1/webhooks/chat',
    headers: { 'x-channel-signature': signature(webhookSecrets.chat, raw as never) },
    payload: raw,
  })
  expect(answer.json()).toEqual({ stored: 1 })
})

describe('a malformed bounce does not keep others from being stored, where', () => {
  const bounce = (more: string) => `{"id":"${randomUUID()}","type":"bounce",${more}}`

  it.each([
    ['its address holds a NUL character', bounce('"address":"a\\u0000@example.edu"')],
    ['its time is in the year 10000', bounce('"address":"a@example.edu","at":"10000-01-01T00:00:00Z"')],
    ['its time is not a date', bounce('"address":"a@example.edu","at":"yesterday"')],
    ['its time is null', bounce('"address":"a@example.edu","at":null')],
  ])('%s: as much of it as possible is stored', async (_, odd) => {
    const valid = { id: randomUUID(), type: 'bounce', address: 'b@example.edu' }
    expect((await postMail(odd, valid)).body).toEqual({ stored: 2 })
    expect((await postMail(odd, valid)).body).toEqual({ stored: 0 })
  })

  it.each([
    ['it names no address', bounce('"permanent":true')],
    ['it has an unknown field', bounce('"address":"a@example.edu","permanant":false')],
    ['its kind is unknown', '{"id":"k","type":"delay","address":"a@example.edu"}'],
    ['its id is a number', '{"id":1,"type":"bounce","address":"a@example.edu"}'],
    ['its address is an object', bounce('"address":{}')],
  ])('%s: it is stored as unreadable', async (_, odd) => {
    const valid = { id: randomUUID(), type: 'bounce', address: 'b@example.edu' }
    expect((await postMail(odd, valid)).body).toEqual({ stored: 1, unreadable: 1 })
    expect((await postMail(odd, valid)).body).toEqual({ stored: 0 })
  })
})

it('unreadable events are counted, and deleted with the person they name', async () => {
  const { db } = api.database
  await api.postEvents({ type: 7, source: { type: 'user', userId: 'Us3' } })
  const unreadable = () =>
    db.selectFrom('webhook_event').selectAll().where('outcome', '=', 'unreadable').execute()
  const registry = new Registry()
  registerQueueMetrics(db, registry)
  const count = (await unreadable()).length
  expect(await registry.metrics()).toContain(`carillon_webhook_events{state="unreadable"} ${count}`)
  await api.call('eraseSubject', { key: api.keys.administrative, id: 's3' })
  expect((await unreadable()).filter(({ address }) => address === 'Us3')).toEqual([])
})

describe('an event that happened longer ago than events are kept', () => {
  const dayMs = 24 * 3_600_000
  const daysAgo = (days: number) => Date.now() - days * dayMs

  it('is answered 200, counted, and dropped: its repetition could not be recognised', async () => {
    const kept = event('follow', 'Uold', { timestamp: daysAgo(29) })
    const replayed = event('unfollow', 'Uold', { timestamp: daysAgo(31) })
    const answer = await postChat(JSON.stringify(replayed), kept)
    expect([answer.status, answer.body]).toEqual([200, { stored: 1, outdated: 1 }])
    expect((await newest(1))[0]!.event_id).toBe(kept.webhookEventId)

    const at = new Date(daysAgo(31)).toISOString()
    const bounced = { type: 'bounce', address: 'old@example.edu' }
    const mail = await postMail(JSON.stringify({ id: 'b-old', at, ...bounced }), { id: 'b-new', ...bounced })
    expect(mail.body).toEqual({ stored: 1, outdated: 1 })

    const metrics = await api.app.metrics.metrics()
    expect(metrics).toContain('carillon_webhook_events_outdated_total{channel="chat"} 1')
    expect(metrics).toContain('carillon_webhook_events_outdated_total{channel="email"} 1')
  })

  it('is stored where events are kept forever', async () => {
    const forever = await startWebhookApi({ webhookRetentionDays: 0 })
    expect((await forever.postEvents(event('follow', 'Uold', { timestamp: daysAgo(4_000) }))).body).toEqual({
      stored: 1,
    })
    await forever.close()
  })
})
