import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { type LookupTarget, verifyLookup } from '../../../client/src/index.ts'
import { limits } from '../../../src/contract/limits.ts'
import { type LookedUp, type LookupCall, lookUp } from '../../../src/services/lookups/look-up.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import type { Resolve } from '../../../src/services/outbound/resolve-host.ts'
import { producer } from '../../fixtures/producer.ts'
import { eventKeys } from '../../fixtures/services.ts'
import { eventually } from '../../harness/eventually.ts'

const subject = '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f'
const key = { id: 'old', secret: eventKeys.get('old')! }
const order = { id: 'A-1001', status: 'shipped', total: 1280, items: ['書', 'pen'] }
const success = { outcome: 'found', fields: { order }, dropped: 0 }

/** Looks up as a worker of this machine, which may call it. */
function asker(resolve?: Resolve) {
  const outbound = openOutbound({ allow: [{ host: '127.0.0.1', port: '*' }], ...(resolve && { resolve }) })
  onTestFinished(() => outbound.close())
  return (call: Partial<LookupCall> & { url: string }) =>
    lookUp(outbound, { method: 'GET', subject, variables: {}, key, ...call })
}

/** Lets the time of the process pass only where a test says so. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}
afterEach(() => void vi.useRealTimers())

const variables = {
  order: 'A 1&b=c',
  數量: 3,
  paid: true,
  none: null,
  address: { city: '臺北', zip: ['1', 2] },
}

it('a GET carries the subject and the variables in its query, which is signed as it stands there', async () => {
  const { orders, received } = await producer()
  expect(await asker()({ url: orders, variables })).toEqual(success)
  const [call, ...others] = await received()
  expect(others).toEqual([])
  expect(call).toMatchObject({ method: 'GET', path: '/lookups/orders', body: '', refusal: null })
  expect([...new URLSearchParams(call!.query)]).toEqual([
    ['subject', subject],
    ['order', 'A 1&b=c'],
    ['數量', '3'],
    ['paid', 'true'],
    ['none', 'null'],
    ['address', '{"city":"臺北","zip":["1",2]}'],
  ])
  expect(call!.headers).toMatchObject({
    accept: 'application/json',
    'accept-encoding': 'identity',
    connection: 'close',
    'user-agent': 'Carillon',
    'x-service-key-id': 'old',
  })
  expect(call!.headers).not.toHaveProperty('cookie')
})

it('a POST carries them in a JSON body, which is signed byte for byte', async () => {
  const { orders, received } = await producer()
  expect(await asker()({ url: `${orders}?kind=open`, method: 'POST', variables })).toEqual(success)
  const [call] = await received()
  expect(call).toMatchObject({ method: 'POST', query: 'kind=open', refusal: null })
  expect(call!.headers).toMatchObject({ 'content-type': 'application/json' })
  expect(JSON.parse(call!.body)).toEqual({ subject, ...variables })
})

it('says which method and address it is signed for, so that no other endpoint takes it', async () => {
  const { orders, url, received } = await producer()
  const look = asker()
  for (const method of ['GET', 'POST'] as const) {
    expect(await look({ url: `${orders}?kind=open`, method, variables })).toEqual(success)
    const call = (await received()).at(-1)!
    const content = method === 'GET' ? call.query : call.body
    const headers = call.headers as Record<string, string>
    const arrivedAt = (target: LookupTarget) => verifyLookup(key, headers, content, target)
    const whole = `${url}${call.path}?${call.query}`
    expect(await arrivedAt({ method, url: whole })).toMatchObject({ subject })
    const others = [
      { method: 'PUT', url: whole },
      { method, url: whole.replace('127.0.0.1', 'localhost') },
      { method, url: whole.replace('orders', 'grades') },
    ]
    for (const other of others) await expect(arrivedAt(other)).rejects.toMatchObject({ code: 'wrong_target' })
  }
})

it('a query of the address stays in front, and is signed with the rest', async () => {
  const { orders, received } = await producer()
  expect(await asker()({ url: `${orders}?kind=o%20pen&全=1#part` })).toEqual(success)
  const [call] = await received()
  expect(call).toMatchObject({ query: `kind=o%20pen&%E5%85%A8=1&subject=${subject}`, refusal: null })
})

it('any variables arrive as they are, signed', async () => {
  const { orders, received } = await producer()
  const look = asker()
  const values = fc.dictionary(
    fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/).filter((name) => name !== 'subject'),
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text)),
    ),
    { maxKeys: 4 },
  )
  await fc.assert(
    fc.asyncProperty(values, async (variables) => {
      for (const method of ['GET', 'POST'] as const)
        expect(await look({ url: orders, method, variables })).toEqual(success)
      const [get, post] = (await received()).slice(-2)
      const texts = Object.entries(variables).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ])
      expect([...new URLSearchParams(get!.query)]).toEqual([['subject', subject], ...texts])
      expect(JSON.parse(post!.body)).toEqual(JSON.parse(JSON.stringify({ subject, ...variables })))
    }),
    { numRuns: 30 },
  )
})

it('a producer does not answer a Lookup signed with a key that it does not know', async () => {
  const { orders, received } = await producer()
  expect(await asker()({ url: orders, key: { id: 'old', secret: 'another' } })).toEqual({ outcome: 'status' })
  expect((await received()).map(({ refusal }) => refusal)).toEqual(['bad signature'])
})

it('fields with reserved names are kept under lookup', async () => {
  const { orders, fault } = await producer()
  const body = { subject: 'other', person: {}, lookup_error: 'none', answers: 1, pattern: 2, total: 5 }
  await fault({ body: JSON.stringify(body) })
  const lookup = { subject: 'other', person: {}, lookup_error: 'none', answers: 1, pattern: 2 }
  expect(await asker()({ url: orders })).toEqual({
    outcome: 'found',
    fields: { total: 5, lookup },
    dropped: 0,
  })
  await fault({ body: '{"lookup": {"uid": 1}, "uid": "b1"}' })
  expect(await asker()({ url: orders })).toMatchObject({
    fields: { lookup: { lookup: { uid: 1 }, uid: 'b1' } },
  })
})

it('a field with a number that was rounded is null, and the others are kept', async () => {
  const { orders, fault } = await producer()
  const refused = ['card', 'order', 'size', 'lookup.uid'].map((field) => ({ field, reason: 'shape' }))
  await fault({
    body:
      '{"card": 9912345678901235, "order": {"lines": [{"n": -9007199254740993}], "id": "A"}, "size": 1e400, ' +
      '"total": 5, "name": "王", "uid": 99123456789012345}',
  })
  expect(await asker()({ url: orders })).toEqual({
    outcome: 'found',
    fields: { card: null, order: null, size: null, total: 5, name: '王', lookup: { uid: null } },
    dropped: 4,
    refused,
  })
})

const deep = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

const answers: [string, object, LookedUp['outcome']][] = [
  ['another 2xx', { status: 203 }, 'found'],
  ['an empty object', { body: '{}' }, 'found'],
  ['an object behind a byte order mark', { body: '\ufeff{}' }, 'found'],
  ['an object of another content type', { headers: { 'content-type': 'text/html' } }, 'found'],
  ['a cookie', { headers: { 'set-cookie': 'a=b' } }, 'found'],
  ['an answer of 64 KiB', { bytes: 65_536 }, 'found'],
  ['as deep as our own bodies', { body: deep(limits.jsonDepth) }, 'found'],
  ['an identity encoding', { headers: { 'content-encoding': 'identity' } }, 'found'],
  ['no content', { status: 204, body: '' }, 'shape'],
  ['an empty body', { body: '' }, 'shape'],
  ['no JSON', { body: '<html>' }, 'shape'],
  ['half of an object', { body: '{"a":' }, 'shape'],
  ['an array', { body: '[{"a":1}]' }, 'shape'],
  ['a text', { body: '"a"' }, 'shape'],
  ['null', { body: 'null' }, 'shape'],
  ['deeper than our own bodies', { body: deep(limits.jsonDepth + 1) }, 'shape'],
  ['as deep as 64 KiB can be', { body: deep(32_000) }, 'shape'],
  ['more values than our own bodies', { body: `{"a":[${'1,'.repeat(20_000)}1]}` }, 'shape'],
  ['a NUL character', { body: '{"a":"\\u0000"}' }, 'shape'],
  ['a lone surrogate in a key', { body: '{"a":{"\\ud800":1}}' }, 'shape'],
  ['a key that reaches a prototype', { body: '{"a":{"__proto__":{"b":1}}}' }, 'shape'],
  ['another one', { body: '{"constructor":{"prototype":{}}}' }, 'shape'],
  ['a whole number that a double holds', { body: '{"a":[9007199254740991,0.1]}' }, 'found'],
  ['one that a double rounds', { body: '{"a":[9007199254740993]}' }, 'found'],
  ['one below all doubles', { body: '{"a":{"b":-1e400}}' }, 'found'],
  ['a compressed answer', { compressed: true }, 'shape'],
  ['64 KiB and a byte, of which a run keeps what fits', { bytes: 65_537 }, 'found'],
  ['1 MiB', { bytes: 1_048_576 }, 'found'],
  ['1 MiB and a byte', { bytes: 1_048_577 }, 'size'],
  ['much more', { bytes: 8_000_000 }, 'size'],
  ['not found', { status: 404 }, 'status'],
  ['an error', { status: 500, body: '{}' }, 'status'],
  ['not modified', { status: 304, body: '' }, 'status'],
  ['a cut before the answer', { cut: 'before-reply' }, 'network'],
  ['a cut in the answer', { cut: 'mid-reply' }, 'network'],
  ['a cut in an answer that is wrong already', { cut: 'mid-reply', status: 500 }, 'status'],
]

it.each(answers)('%s', async (_, fault, outcome) => {
  const far = await producer()
  await far.fault(fault)
  expect((await asker()({ url: far.orders })).outcome).toBe(outcome)
  expect(await far.received()).toHaveLength(1)
})

it.each([301, 302, 303, 307, 308])('a redirect (%s) is not followed', async (status) => {
  const [front, behind] = [await producer(), await producer()]
  await front.fault({ status, headers: { location: behind.orders } })
  expect(await asker()({ url: front.orders })).toEqual({ outcome: 'status' })
  expect(await behind.received()).toEqual([])
})

it('a cookie is not sent with the next call', async () => {
  const { orders, fault, received } = await producer()
  await fault({ headers: { 'set-cookie': 'session=1; Path=/' } })
  const look = asker()
  await look({ url: orders })
  expect(await look({ url: orders })).toEqual(success)
  expect((await received()).map(({ headers }) => headers.cookie)).toEqual([undefined, undefined])
})

it('an answer 4.999 s after the request counts, and one after 5 s is a timeout', async () => {
  const { orders, fault, received } = await producer()
  await fault({ delayMs: 4_999 }, { delayMs: 5_001 })
  stopTime()
  const look = asker()
  for (const [passing, expected] of [
    [4_999, success],
    [5_000, { outcome: 'timeout' }],
  ] as const) {
    const before = (await received()).length
    const lookup = look({ url: orders })
    await eventually(async () => expect(await received()).toHaveLength(before + 1))
    await vi.advanceTimersByTimeAsync(passing)
    expect(await lookup).toEqual(expected)
  }
})

it('an answer that drips a byte a second has 5 s in all', async () => {
  const { orders, fault, received } = await producer()
  await fault({ dripMs: 1_000 }, { dripMs: 1_000, body: '{}' })
  stopTime()
  const look = asker()
  for (const expected of [{ outcome: 'timeout' }, { ...success, fields: {} }]) {
    const before = (await received()).length
    let ended: LookedUp | undefined
    const lookup = look({ url: orders }).then((one) => (ended = one))
    await eventually(async () => expect(await received()).toHaveLength(before + 1))
    for (let second = 1; second <= 5 && !ended; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000)
      // What was sent arrives.
      await received()
    }
    expect(await lookup).toEqual(expected)
  }
})

it('a producer that is gone, or takes no connection, is a network error', async () => {
  const { orders, stop } = await producer()
  await stop()
  expect(await asker()({ url: orders })).toEqual({ outcome: 'network' })
})

it('a connection has a second, its encryption included', async () => {
  const connected: unknown[] = []
  const silent = createServer((socket) => connected.push(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  stopTime()
  const lookup = asker()({ url: `https://127.0.0.1:${(silent.address() as AddressInfo).port}/` })
  await eventually(() => expect(connected).toHaveLength(1))
  await vi.advanceTimersByTimeAsync(limits.lookupConnectMs)
  expect(await lookup).toEqual({ outcome: 'network' })
})

it('a name that is not resolved within that second is a network error', async () => {
  let asks = 0
  stopTime()
  const lookup = asker(() => {
    asks += 1
    return new Promise(() => {})
  })({ url: 'https://orders.example.edu/' })
  await eventually(() => expect(asks).toBe(1))
  await vi.advanceTimersByTimeAsync(limits.lookupConnectMs)
  expect(await lookup).toEqual({ outcome: 'network' })
})

it('a refused address is a network error, and is judged at each call', async () => {
  const { url, received } = await producer()
  const port = new URL(url).port
  const answers = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1', '64:ff9b::7f00:1']
  const look = asker(async () => {
    const address = answers.shift()!
    return [{ address, family: address.includes(':') ? 6 : 4 }]
  })
  for (let left = answers.length; left > 0; left -= 1)
    expect(await look({ url: `https://rebound.example.edu:${port}/` })).toEqual({ outcome: 'network' })
  expect(answers).toEqual([])
  expect(await received()).toEqual([])
})

it('any answer comes to an outcome', async () => {
  const { orders, fault } = await producer()
  const look = asker()
  const bodies = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.object().map((one) => JSON.stringify(one)),
  )
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom(200, 201, 302, 404, 500), async (body, status) => {
      await fault({ body, status })
      const { outcome } = await look({ url: orders })
      expect(status < 300 ? ['found', 'shape'] : ['status']).toContain(outcome)
    }),
    { numRuns: 50 },
  )
})
