import { gzipSync } from 'node:zlib'
import type { AuthScheme } from '../../../../../src/contract/endpoint.ts'
import { limits } from '../../../../../src/contract/limits.ts'
import { exampleFor, type HostileCaller, type HostileRequest, type Operation, type Parts } from './caller.ts'
import { edgesOf, fullValue, type ValueLimit, valueLimits } from './edges.ts'
import { type Schema, schemaOf } from './schema.ts'

/** `round` chooses where one round cannot have all; `room`: the most bytes of a body, which may be less than allowed. */
export type Extent = { round: number; room: number }

/** For every operation of the table the requests at one limit. */
export type TableLimit = (caller: HostileCaller, extent: Extent) => Generator<HostileRequest>

/** The limits that need to know nothing of an operation but its row in the table. */
export const tableLimits: Record<string, TableLimit> = {
  ...Object.fromEntries(valueLimits.map((limit) => [limit, atValueLimit(limit)])),
  'largest bodies': largestBodies,
  'nested bodies': nestedBodies,
  'unreadable bodies': unreadableBodies,
  'types and encodings': typesAndEncodings,
  'paths, queries and headers': pathsQueriesAndHeaders,
  'wrong credentials': wrongCredentials,
}

/** Of a request's path or headers, below what Node reads of them. */
const headerBytes = 14_000

function atValueLimit(limit: ValueLimit): TableLimit {
  return function* (caller, { round, room }) {
    for (const operation of caller.operations) {
      const { body, query } = operation.endpoint
      if (body) {
        const example = exampleFor(operation.endpoint, caller.unitId)
        for (const edge of edgesOf(schemaOf(body), example, room, round))
          if (edge.limit === limit)
            yield caller.request(operation, `${limit} in ${edge.place}`, { body: edge.text })
      }
      if (query)
        for (const edge of edgesOf(schemaOf(query), {}, headerBytes / 3, round)) {
          if (edge.limit !== limit) continue
          const path = `${operation.path}?${queryOf(JSON.parse(edge.text()))}`
          if (path.length < headerBytes)
            yield caller.request(operation, `${limit} in ${edge.place}`, { path })
        }
    }
  }
}

function queryOf(values: Record<string, unknown>): string {
  const pairs: [string, string][] = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one).toWellFormed()]),
  )
  return String(new URLSearchParams(pairs))
}

function* largestBodies(caller: HostileCaller, { room }: Extent) {
  for (const operation of withBody(caller)) {
    const example = () => JSON.stringify(exampleFor(operation.endpoint, caller.unitId))
    const bodies: Record<string, Parts> = {
      'every list and text full': {
        body: () => JSON.stringify(fullValue(bodySchema(operation), room)),
      },
      'exactly as large as allowed': { body: () => example().padEnd(limits.bodyBytes) },
      'a byte too large': { body: () => example().padEnd(limits.bodyBytes + 1) },
      'too large, of unknown length': {
        headers: { 'transfer-encoding': 'chunked' },
        body: () => example().padEnd(limits.bodyBytes + 100_000),
      },
    }
    for (const [edge, parts] of Object.entries(bodies)) yield caller.request(operation, edge, parts)
  }
}

function* nestedBodies(caller: HostileCaller, { room }: Extent) {
  for (const operation of withBody(caller)) {
    const depth = Math.floor(room / 2) - 10
    const fields = Math.floor(depth / 4)
    const bodies = {
      'lists in lists': () => '['.repeat(depth) + ']'.repeat(depth),
      'lists in lists, never closed': () => '['.repeat(2 * depth),
      'fields in fields': () => `${'{"a":'.repeat(fields)}1${'}'.repeat(fields)}`,
      'many empty lists': () => `[${'[],'.repeat(depth / 2)}[]]`,
      'many unknown fields': () => JSON.stringify(Object.fromEntries(numbered(room / 20))),
    }
    for (const [edge, body] of Object.entries(bodies)) yield caller.request(operation, edge, { body })
  }
}

function* unreadableBodies(caller: HostileCaller, { room }: Extent) {
  for (const operation of withBody(caller)) {
    const example = JSON.stringify(exampleFor(operation.endpoint, caller.unitId))
    const bodies = {
      'a number of many digits': () => `{"limit":${'9'.repeat(room)}}`,
      'a text that does not end': () => `{"a":"${'\\u0061'.repeat(room / 6)}`,
      'spaces only': () => ' '.repeat(room),
      'the same field many times': () => `{${'"kind":1,'.repeat(room / 9)}"kind":2}`,
      'cut in the middle': () => example.slice(0, example.length / 2),
      'not UTF-8': () => Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(1_000, 0xff), Buffer.from('"}')]),
      'a prototype': () => `{"__proto__":{"admin":true},"constructor":{"prototype":{"a":1}}}`,
      'a byte order mark': () => `\ufeff${example}`,
    }
    for (const [edge, body] of Object.entries(bodies)) yield caller.request(operation, edge, { body })
  }
}

function* typesAndEncodings(caller: HostileCaller, { room }: Extent) {
  for (const operation of withBody(caller)) {
    const example = JSON.stringify(exampleFor(operation.endpoint, caller.unitId))
    const bomb = () => gzipSync(Buffer.alloc(50_000_000, ' '))
    const types = [
      'text/plain',
      'application/x-ndjson',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      `application/json; a=${'a'.repeat(8_000)}`,
      'text/csv',
      'nonsense',
      '',
    ]
    for (const type of types)
      yield caller.request(operation, `content type ${type.slice(0, 40)}`, {
        headers: { 'content-type': type },
        body: () => example,
      })
    yield caller.request(operation, 'a line of another type as long as a body', {
      headers: { 'content-type': 'application/x-ndjson' },
      body: () => 'a'.repeat(room),
    })
    for (const encoding of ['gzip', 'deflate, gzip', 'br'])
      yield caller.request(operation, `content encoding ${encoding}`, {
        headers: { 'content-encoding': encoding },
        body: bomb,
      })
  }
}

const oddParts = ['%00', '%ff', '..%2f..', '%2e%2e', '%F0%9F%8F%B3', '%E2%80%AE', "'%20or%201=1", '%', '-1']

function* pathsQueriesAndHeaders(caller: HostileCaller) {
  for (const operation of caller.operations) {
    const { path: pattern } = operation.endpoint
    const parts = [...oddParts, 'a'.repeat(limits.pathPartLength), 'a'.repeat(limits.pathPartLength + 1)]
    if (pattern.includes('{'))
      for (const part of [...parts, 'a'.repeat(headerBytes)])
        yield caller.request(operation, `path part ${part.slice(0, 20)}`, {
          path: pattern.replaceAll(/\{\w+\}/g, () => part),
        })
    const queries = {
      'one parameter many times': 'cursor=a&'.repeat(1_500),
      'many parameters': numbered(1_500)
        .map(([name]) => `${name}=`)
        .join('&'),
      'odd parameters': `cursor=%00&limit=1e9&${oddParts.map((part) => `a[]=${part}`).join('&')}`,
      'a long parameter': `cursor=${'a'.repeat(headerBytes)}`,
    }
    for (const [edge, query] of Object.entries(queries))
      yield caller.request(operation, edge, { path: `${operation.path}?${query}` })
    const headers = {
      'many headers': Object.fromEntries(numbered(300).map(([name]) => [`x-${name}`, 'a'.repeat(20)])),
      'a long header': { 'x-long': 'a'.repeat(headerBytes) },
      'longer headers than are read': { 'x-long': 'a'.repeat(100_000) },
      'a long idempotency key': { 'idempotency-key': 'a'.repeat(limits.idempotencyKeyLength + 1) },
      'many cookies': {
        'x-cookie': '1',
        cookie: numbered(800)
          .map(([name]) => `${name}=a`)
          .join('; '),
      },
      'an expectation': { expect: 'the impossible' },
    }
    for (const [edge, more] of Object.entries(headers))
      yield caller.request(operation, edge, { headers: more })
  }
}

/** Credentials that fit no caller, by the scheme they pretend to. */
const wrong: Record<AuthScheme | 'none', Record<string, string>[]> = {
  producer: [
    { authorization: 'Bearer hub_a_b' },
    { authorization: `Bearer hub_${'a'.repeat(64)}_${'b'.repeat(128)}` },
    { authorization: `Bearer hub_${'a'.repeat(8_000)}` },
    { authorization: `Basic ${'a'.repeat(8_000)}` },
  ],
  session: [{ cookie: 'hub_session=a' }, { cookie: `hub_session=${'a'.repeat(8_000)}` }],
  recipient: [
    { authorization: `Bearer ${['{"alg":"none"}', '{}', ''].map(base64).join('.')}` },
    { authorization: `Bearer ${['{"alg":"ES256","kid":"a"}', '{"sub":"a"}', 'a'].map(base64).join('.')}` },
    { 'x-mock-channel-user': 'a'.repeat(8_000) },
  ],
  event: [{ 'x-service-key-id': 'intruder', 'x-service-timestamp': '1', 'x-service-signature': 'v1=00' }],
  adapter: [{ 'x-mock-signature': 'no' }, { 'x-channel-signature': 'AAAA' }],
  none: [{}],
}

function* wrongCredentials(caller: HostileCaller) {
  for (const operation of caller.operations)
    for (const [scheme, attempts] of Object.entries(wrong))
      for (const headers of attempts) {
        const body = operation.endpoint.body && (() => '{}'.padEnd(100_000))
        const { sign: _, ...request } = caller.request(operation, `wrong ${scheme}`)
        yield { ...request, headers: { ...headers, 'content-type': 'application/json' }, body }
      }
}

function withBody({ operations }: HostileCaller): Operation[] {
  return operations.filter(({ endpoint }) => endpoint.body !== undefined || endpoint.upload !== undefined)
}

function bodySchema({ endpoint: { body } }: Operation): Schema {
  return body ? schemaOf(body) : {}
}

function numbered(count: number): [string, number][] {
  return Array.from({ length: Math.floor(count) }, (_, n) => [`field${n}`, n])
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64url')
}
