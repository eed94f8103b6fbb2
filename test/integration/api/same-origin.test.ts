import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { type Api, startApi } from '../../fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
  const { db } = api.database
  await db.updateTable('person').set({ system_admin: true }).where('name', '=', 'Stranger').execute()
})
afterAll(() => api.close())

const changing = Object.entries<Endpoint>(endpoints)
  .filter(([, { method, doors }]) => method !== 'GET' && doors.includes('session'))
  .map(([id]) => id as OperationId)

/** Not before the door: what a call without idempotency key, body or object is answered once it is through. */
async function through(id: OperationId, headers: Record<string, string>): Promise<boolean> {
  const { systemAdmin }: Endpoint = endpoints[id]
  const session = await api.newSession(systemAdmin ? 'stranger' : 'approver')
  const answer = await api.call(id, { session, headers })
  return answer.code !== 'forbidden'
}

describe.each(changing)('%s with a session', (id) => {
  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: 'http://localhost:81', 'sec-fetch-site': 'same-origin' },
  ])('is refused from another site: %o', async (headers) => {
    expect(await through(id, headers as Record<string, string>)).toBe(false)
  })

  it('is let through from our own pages, and from programs that say nothing', async () => {
    expect(await through(id, { origin: 'http://localhost:80', 'sec-fetch-site': 'same-origin' })).toBe(true)
    expect(await through(id, {})).toBe(true)
  })
})

it('reading from another site is no change', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
  const answer = await api.call('listMessages', { session: api.sessions.editor, headers })
  expect(answer.status).toBe(200)
})

it('a producer key needs no page', async () => {
  const headers = { origin: 'https://elsewhere.example' }
  expect((await api.call('submitMessage', { key: api.keys.a, headers })).code).toBe('not_found')
})
