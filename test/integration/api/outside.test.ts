import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { malformed } from '../../fixtures/malformed.ts'
import { eventKeys } from '../../fixtures/services.ts'
import { signatureHeaders } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'
import { type Spawned, spawnProcess } from '../../harness/spawn.ts'
import { type CallerName, callers, credentialsOf } from './matrix/callers.ts'

/** Sends the same requests each time; fast-check prints the seed and how to repeat one failure. */
const seed = 20_261_121
const numRuns = 20

let credentials: Record<CallerName, () => Promise<CallOptions>>
let server: Spawned
let port: number
// biome-ignore lint/suspicious/noExplicitAny: the document is read as an outside client reads it
let described: any
const api = forFile(startApi)
beforeAll(async () => {
  credentials = await credentialsOf(api)
  server = await spawnProcess('api', ['src/server.ts'], {
    DATABASE_URL: api.database.url,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    RATE_LIMIT_PER_SECOND: '0',
    CHANNEL_MOCK: 'true',
    EVENT_SIGNING_KEYS: [...eventKeys].map((pair) => pair.join(':')).join(','),
    SECRETS_KEY: randomBytes(32).toString('base64'),
  })
  await server.logged(/Server listening at/)
  port = Number(/Server listening at http:\/\/[\d.]+:(\d+)/.exec(server.log())![1])
  const { text } = await ask({ method: 'GET', path: '/openapi.json', headers: {} })
  described = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'))
})
afterAll(async () => {
  await server.stop()
})

type Sent = { method: string; path: string; headers: Record<string, string>; body?: string | Buffer }

/** Sends one raw request on a separate connection. */
function ask({ body, ...sent }: Sent): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, agent: false, ...sent }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString() })
    })
    asking.on('error', reject).end(body)
  })
}

const odd = ['%00', '%2F', '..%2f..', '%E2%80%AE', '%F0%9F%92%A5', '%ED%A0%80', '%ff', '%', '%0d%0aX:%20y']
const words = [
  '__proto__',
  'constructor',
  '-1',
  '1e999',
  "';--",
  '%7B%7Bx%7D%7D',
  '2026-02-30',
  'x'.repeat(4_000),
]
const part = fc.constantFrom('s1', '01939a2e-0000-7000-8000-00000000dead', ...odd, ...words)
const names = [
  'cursor',
  'limit',
  'state',
  'unitId',
  'order',
  'scope',
  'month',
  'returnTo',
  'x[]',
  '__proto__',
]
const query = fc.array(fc.tuple(fc.constantFrom(...names), fc.oneof(part, fc.constant(''))), { maxLength: 3 })

function bodyOf(example: unknown): fc.Arbitrary<string | Buffer> {
  const text = JSON.stringify(example)
  const strange = [
    `\ufeff${text}`,
    `${text}${text}`,
    text.slice(0, -1),
    text.replace('{', '{"__proto__":{"a":1},'),
    text.replace('{', '{"constructor":{"prototype":{"a":1}},'),
    text.replace(/"(\w+)":/, '"$1":null,"$1":'),
    '['.repeat(50_000),
    '{"a":1e99999}',
    JSON.stringify({ x: 'x'.repeat(3_000_000) }),
    Buffer.from(text, 'utf16le'),
    Buffer.from([0xff, 0xfe, 0x00]),
  ]
  const whole = malformed(example).map((value) => JSON.stringify(value) ?? '')
  return fc.oneof({ weight: 3, arbitrary: whole }, fc.constantFrom<string | Buffer>(...strange))
}

const types = ['', 'nonsense;;', 'text/csv', 'application/x-ndjson', 'application/json; charset=utf-16']
const json = 'application/json'
const contentType = fc.oneof({ weight: 3, arbitrary: fc.constant(json) }, fc.constantFrom(...types))
const more = fc.constantFrom<Record<string, string>>(
  {},
  { 'content-encoding': 'gzip' },
  { accept: 'application/xml;q=0' },
  { 'if-match': 'W/"x"' },
  { cookie: 'hub_session=%00; ;=;' },
  { origin: 'null' },
  { 'x-forwarded-for': '\u0080, 1.2.3.4' },
  { 'x-mock-signature': 'ok' },
  { expect: 'the unexpected' },
)
const otherMethods = fc.constantFrom('HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PUT', 'DELETE')
const method = fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, otherMethods)

/** The description of an operation's response with this status. */
function statedAt({ method, path }: Endpoint, status: number) {
  return described.paths[path][method.toLowerCase()].responses[status]?.content
}

/** The body of an error of another method, which no operation describes. */
const anyError = { $ref: '#/$defs/ErrorBody' }

const shapes = new Map<unknown, z.ZodType>()
function fits(schema: object, body: unknown): void {
  const shape = shapes.get(schema) ?? z.fromJSONSchema({ ...schema, $defs: described.components.schemas })
  shapes.set(schema, shape)
  expect(shape.safeParse(body).error).toBeUndefined()
}

describe.each(Object.keys(endpoints) as OperationId[])('%s, from outside', (id) => {
  const endpoint: Endpoint = endpoints[id]

  it('responds as described, to any input from any caller', async () => {
    const arbitrary = fc.record({
      who: fc.constantFrom(...callers),
      method,
      parts: fc.array(part, { minLength: 3, maxLength: 3 }),
      query,
      body: bodyOf(endpoint.bodyExample ?? {}),
      contentType,
      more,
    })
    const check = fc.asyncProperty(
      arbitrary,
      async ({ who, parts, query, body, contentType, more, method }) => {
        const { key, session, headers } = await credentials[who]()
        const left = [...parts]
        const path = endpoint.path.replaceAll(/\{\w+\}/g, () => left.pop()!)
        const search = query.length > 0 ? `?${query.map((pair) => pair.join('=')).join('&')}` : ''
        const sent: Sent = {
          method: method ?? endpoint.method,
          path: `${path}${search}`,
          headers: {
            'idempotency-key': 'outside',
            ...(key && { authorization: `Bearer ${key}` }),
            ...(session && { cookie: `hub_session=${session}` }),
            ...headers,
            ...(endpoint.auth.includes('event') && typeof body === 'string' && signatureHeaders(body)),
            ...more,
          },
        }
        const bodied = !['GET', 'HEAD', 'TRACE'].includes(sent.method)
        if (bodied) {
          const length = String(Buffer.byteLength(body))
          Object.assign(sent.headers, { 'content-type': contentType, 'content-length': length })
          sent.body = body
        }
        const { status, text } = await ask(sent)
        expect(status < 500 || status === 503, text).toBe(true)
        if (method === 'HEAD') return

        const [ours, stated] = [sent.method === endpoint.method, statedAt(endpoint, status)]
        if (status >= 400) {
          const answer = JSON.parse(text)
          fits(ours && stated ? stated[json].schema : anyError, answer)
          const { code } = answer.error
          for (const { message } of answer.error.details?.issues ?? [])
            expect(message, text).toMatch(/^(must |is missing|every key must )/)
          if (status >= 500) expect(code, text).toBe('not_configured')
          if (ours) expect(Object.keys(stated?.[json].examples ?? {}), text).toContain(code)
        } else if (ours) {
          expect(stated, `${status}`).toBeDefined()
          if (stated[json]) fits(stated[json].schema, JSON.parse(text))
        }
      },
    )
    await fc.assert(check, { seed, numRuns })
  })
})
