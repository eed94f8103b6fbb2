import fc from 'fast-check'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { openWorld, type World } from './world.ts'

let world: World
let ids: string[]
beforeAll(async () => {
  world = await openWorld()
  const { body } = endpointOf('createMessage')
  const headers = { 'idempotency-key': 'fuzz' }
  const create = {
    ...(endpointOf('createMessage').bodyExample as object),
    categoryId: 'news',
    expiresAt: undefined,
  }
  const made = await world.call('createMessage', { key: world.keys.a, headers, body: body?.parse(create) })
  ids = [
    made.body.id,
    world.templates.draft,
    world.units.a,
    '01939a2e-0000-7000-8000-00000000dead',
    'no-id',
    '%00',
    '..',
  ]
})
afterAll(() => world.close())

const endpointOf = (id: OperationId): Endpoint => endpoints[id]
const guarded = Object.entries<Endpoint>(endpoints)
  .filter(([, { doors }]) => doors.length > 0)
  .map(([id]) => id as OperationId)

const odd = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    '',
    ' ',
    '%',
    "';--",
    '{{',
    '{% for %}',
    '💥'.repeat(2_000),
    'NaN',
    '-1',
    '1e400',
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, -1, 1e308, [], {}, [[]], [null], { kind: 'all' }, { kind: null }),
)

/** The operation's own example with one place, at any depth, replaced by something odd or taken away. */
function bent(example: unknown): fc.Arbitrary<unknown> {
  const places = placesIn(example)
  return fc
    .tuple(fc.nat(places.length), fc.oneof(odd, fc.constant(undefined)))
    .map(([n, value]) => (n === places.length ? value : replaced(example, places[n]!, value)))
}

function placesIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))]
}

function replaced(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = replaced(copy[key], rest, by)
  return copy
}

const runs = 25

/** `world.call` holds every answer against the table; what is left to say is that nothing is a fault of ours. */
describe.each(guarded)('%s', (id) => {
  it(`answers whatever is sent, and never with a fault of its own`, async () => {
    const endpoint = endpointOf(id)
    const query = fc.dictionary(
      fc.constantFrom(
        'cursor',
        'limit',
        'state',
        'unitId',
        'categoryId',
        'topicId',
        'createdAfter',
        'order',
        'x',
      ),
      fc.string({ unit: 'grapheme' }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.nat(6),
        bent(endpoint.bodyExample ?? {}),
        query,
        fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 300 }),
        fc.constantFrom('key', 'editor', 'approver'),
        async (n, body, wanted, text, who) => {
          const header = text.replaceAll(/[^\x21-\x7e]/g, '_')
          const answer = await world.call(id, {
            ...(who === 'key'
              ? { key: endpoint.administrative ? world.keys.office : world.keys.individual }
              : { session: await world.newSession(who as 'editor') }),
            id: ids[n]!,
            query: wanted,
            headers: { 'idempotency-key': header, ...(n === 5 ? { 'if-match': header } : {}) },
            ...(endpoint.method === 'GET' ? {} : { raw: JSON.stringify(body) ?? '' }),
          })
          if (answer.status >= 500 && answer.code !== 'not_configured')
            throw new Error(JSON.stringify(answer.body))
        },
      ),
      { numRuns: runs },
    )
  })
})
