import { beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { startApi } from '../../fixtures/api.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
beforeAll(async () => {
  const { db } = api.database
  await db.updateTable('person').set({ system_admin: true }).where('name', '=', 'Stranger').execute()
})

const changing = Object.entries<Endpoint>(endpoints)
  .filter(([, { method, auth }]) => method !== 'GET' && auth.includes('session'))
  .map(([id]) => id as OperationId)

/** The first error after authentication: a unit's object in the path is missing, else the required body is. */
function errorAfterAuthentication(id: OperationId): string {
  const { body, bodyOptional, upload, unit }: Endpoint = endpoints[id]
  if (id === 'signOut') return '200'
  if (id === 'createMessage' || id === 'copyMessage') return '400 idempotency_key_required'
  if (upload) return '400 validation_error'
  return unit !== 'object' && body && !bodyOptional ? '400 validation_error' : '404 not_found'
}

/**
 * The response of an operation without idempotency key, body or object: rejected by authentication, or a later error.
 */
async function answerOf(id: OperationId, headers: Record<string, string>): Promise<string> {
  const { systemAdmin }: Endpoint = endpoints[id]
  const session = await api.newSession(systemAdmin ? 'stranger' : 'approver')
  const { status, code } = await api.call(id, { session, headers })
  return code === null ? `${status}` : `${status} ${code}`
}

describe.each(changing)('%s with a session', (id) => {
  it.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: 'http://localhost:81', 'sec-fetch-site': 'same-origin' },
  ])('is rejected from another site: %o', async (headers) => {
    expect(await answerOf(id, headers)).toBe('403 forbidden')
  })

  it('is accepted from Carillon’s own pages, and from programs without these headers', async () => {
    const ours = { origin: 'http://localhost:80', 'sec-fetch-site': 'same-origin' }
    expect([await answerOf(id, ours), await answerOf(id, {})]).toEqual([
      errorAfterAuthentication(id),
      errorAfterAuthentication(id),
    ])
  })
})

it('a read from another site is accepted', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
  const answer = await api.call('listMessages', { session: api.sessions.editor, headers })
  expect(answer.status).toBe(200)
})

it('a producer key is accepted from any site', async () => {
  const headers = { origin: 'https://elsewhere.example' }
  expect((await api.call('submitMessage', { key: api.keys.a, headers })).code).toBe('not_found')
})
