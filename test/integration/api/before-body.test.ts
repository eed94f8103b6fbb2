import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { objectOf } from '../../../src/api/auth/object.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { limits } from '../../../src/contract/limits.ts'
import { startApi } from '../../fixtures/api.ts'
import { createMessage } from '../../fixtures/new-message.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

/** Whoever reads this body answers that it is not JSON, or too large. */
const unreadable = '{"a":'
const huge = 'x'.repeat(limits.bodyBytes + 1)

const aboutObjects = Object.entries<Endpoint>(endpoints)
  .filter(([, { body, unit }]) => body && unit === 'object')
  .map(([id]) => id as OperationId)

describe.each(aboutObjects)('%s', (id) => {
  it('finds its object before it reads a body', async () => {
    expect(objectOf(endpoints[id])).toBeDefined()
    const { auth }: Endpoint = endpoints[id]
    const who = auth.includes('producer') ? { key: api.keys.b } : { session: api.sessions.approver }
    for (const raw of [unreadable, huge])
      for (const object of [randomUUID(), 'no-id'])
        expect((await api.call(id, { ...who, id: object, raw })).code).toBe('not_found')
  })
})

it('another unit’s object is not found before a body about it is read', async () => {
  const { id } = (await createMessage(api)).body
  expect((await api.call('editMessage', { key: api.keys.b, id, raw: unreadable })).code).toBe('not_found')
  expect((await api.call('editMessage', { key: api.keys.a, id, raw: unreadable })).code).toBe(
    'validation_error',
  )
})

it('a caller without a credential is rejected before a body is read', async () => {
  for (const id of ['createMessage', 'changeMembers', 'receiveEvent', 'receiveChatWebhook'] as const)
    expect((await api.call(id, { raw: huge })).code).toBe('unauthenticated')
})

it('a large event without a signature is rejected before it is read, also over the network', async () => {
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as AddressInfo
  for (const headers of [{ 'content-length': String(huge.length) }, { 'transfer-encoding': 'chunked' }]) {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/v1/events/sis', headers })
      sent.on('response', ({ statusCode }) => {
        resolve(statusCode)
        sent.destroy()
      })
      sent.on('error', reject)
      sent.flushHeaders()
    })
    expect(answer).toBe(401)
  }
})

it('a signature with an unknown key is rejected before a body is read', async () => {
  const headers = {
    'x-service-key-id': 'nobody',
    'x-service-timestamp': '1',
    'x-service-signature': 'v1=0',
  }
  expect((await api.call('receiveEvent', { headers, raw: huge })).code).toBe('unknown_key')
})

it('a path that does not exist is not found before a body is read', async () => {
  const headers = { 'content-type': 'application/json' }
  const answer = await api.app.inject({ method: 'POST', url: '/v1/nothing', headers, payload: huge })
  expect(answer.statusCode).toBe(404)
})
