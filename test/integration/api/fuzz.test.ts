import fc from 'fast-check'
import { beforeAll, describe, it } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { startApi } from '../../fixtures/api.ts'
import { malformed } from '../../fixtures/malformed.ts'
import { administratorSession } from '../../fixtures/seed.ts'
import { forFile } from '../../harness/for-file.ts'

let ids: string[]
let admin: string
const api = forFile(startApi)
beforeAll(async () => {
  const { body } = endpointOf('createMessage')
  const headers = { 'idempotency-key': 'fuzz' }
  const create = {
    ...(endpointOf('createMessage').bodyExample as object),
    categoryId: 'news',
    expiresAt: undefined,
  }
  const answer = await api.call('createMessage', { key: api.keys.a, headers, body: body?.parse(create) })
  const { db } = api.database
  admin = await administratorSession(db)
  ids = [
    answer.body.id,
    api.templates.draft,
    api.units.a,
    '01939a2e-0000-7000-8000-00000000dead',
    'no-id',
    '%00',
    // As a whole part of a path, clients resolve the dots, and the request goes elsewhere.
    '..%2f..',
  ]
})

const endpointOf = (id: OperationId): Endpoint => endpoints[id]
const guarded = Object.entries<Endpoint>(endpoints)
  .filter(([, { auth }]) => auth.length > 0)
  .map(([id]) => id as OperationId)

const runs = 25

/** `api.call` checks every response against the table; what remains is that none is an internal error. */
describe.each(guarded)('%s', (id) => {
  it(`answers any input, and never with an internal error`, async () => {
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
        'scope',
        'month',
        'email',
        'x',
      ),
      fc.string({ unit: 'grapheme' }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.nat(6),
        malformed(endpoint.bodyExample ?? {}),
        query,
        fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 300 }),
        fc.constantFrom('key', 'editor', 'approver'),
        async (n, body, wanted, text, who) => {
          const header = text.replaceAll(/[^\x21-\x7e]/g, '_')
          const answer = await api.call(id, {
            ...(endpoint.systemAdmin
              ? { session: admin }
              : who === 'key'
                ? { key: endpoint.administrative ? api.keys.administrative : api.keys.individual }
                : { session: await api.newSession(who as 'editor') }),
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
