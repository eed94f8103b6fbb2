import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { forMatrix } from './matrix/api.ts'
import { type CallerName, callers } from './matrix/callers.ts'
import { expectedVerdict } from './matrix/expected.ts'

const { api, as, objects } = forMatrix()

const table = Object.entries<Endpoint>(endpoints)
const paths = new Set(table.map(([, { path }]) => path))
const reads = table.filter(([, { method }]) => method === 'GET').map(([id]) => id as OperationId)
/** Those of operations, and two that none has; PROPFIND is unknown to the router too. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']

function methodsOf(path: string): string[] {
  const own = table.filter(([, endpoint]) => endpoint.path === path).map(([, { method }]) => method as string)
  return [...own, ...(own.includes('GET') ? ['HEAD'] : [])].sort()
}

function ask(method: string, url: string, headers: Record<string, string> = {}) {
  return api.app.inject({ method: method as 'GET', url, headers })
}

describe.each([...paths])('%s', (path) => {
  it('answers every other method with 405 and those that it has, whoever calls', async () => {
    const url = path.replaceAll(/\{\w+\}/g, 'x')
    for (const method of methods.filter((one) => !methodsOf(path).includes(one))) {
      const answer = await ask(method, url)
      expect([method, answer.statusCode]).toEqual([method, 405])
      expect(answer.headers.allow).toBe(methodsOf(path).join(', '))
      if (method !== 'HEAD') expect(answer.json().error.code).toBe('method_not_allowed')
    }
  })
})

describe.each(reads)('%s', (id) => {
  it('answers HEAD like GET, without the body', async () => {
    const endpoint: Endpoint = endpoints[id]
    const caller = callers.find((name) => expectedVerdict(endpoint, name) === 'open') as CallerName
    const { key, session, headers } = await as[caller]()
    const credentials = {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(session && { cookie: `hub_session=${session}` }),
      ...headers,
    }
    const object = await objects.of(id)
    const url = endpoint.path.replaceAll(/\{\w+\}/g, object)
    const [head, get] = [await ask('HEAD', url, credentials), await ask('GET', url, credentials)]
    expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([
      get.statusCode,
      get.headers['content-type'],
      '',
    ])
    // The times in what health checks say are as long as they are.
    if (id !== 'getHealth') expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })
})

describe('a page', () => {
  it('says which methods it has', async () => {
    for (const [url, allow] of [
      ['/', 'GET, HEAD'],
      ['/docs/', 'GET, HEAD'],
      ['/l/some/link', 'GET, HEAD, POST'],
    ] as const) {
      const answer = await ask('DELETE', url)
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow])
    }
  })
})

describe('a path that no operation has', () => {
  it.each(['/v1/nothing', '/v1/messages/x/y', '/V1/messages', '/v1/events/%ff', '/%', '/v1/%zz'])(
    '%s is not found by any method',
    async (url) => {
      for (const method of methods) {
        const answer = await ask(method, url)
        expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, 404, undefined])
        expect(answer.headers).toMatchObject({
          'x-request-id': expect.any(String),
          'content-security-policy': expect.any(String),
        })
        if (method !== 'HEAD') expect(answer.json().error.code).toBe('not_found')
      }
    },
  )

  it('is found in another spelling of an existing one', async () => {
    for (const url of ['/v1/%6Dessages?x=1', '/v1/messages/', '/v1/event-bindings/a%2Fb', '/v1/units/é'])
      expect((await ask('OPTIONS', url)).statusCode).toBe(405)
  })
})

it('a long part of a path is not found, after the credentials were checked', async () => {
  const id = 'a'.repeat(10_000)
  expect((await api.call('getMessage', { id })).code).toBe('unauthenticated')
  expect((await api.call('getMessage', { key: api.keys.a, id })).code).toBe('not_found')
  expect((await api.call('getSubject', { key: api.keys.a, id })).code).toBe('not_found')
})
