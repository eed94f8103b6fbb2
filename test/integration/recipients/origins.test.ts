import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { browserPath, startBrowser } from '../../../dev/browser.ts'
import { type Api, startApi } from '../../fixtures/api.ts'

const origin = 'https://app.example.edu'
const other = 'https://elsewhere.example.com'
const me = { 'x-mock-channel-user': 'Us1' }

describe('a page of an origin in RECIPIENT_ORIGINS', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi({ recipientOrigins: [origin], ratePerMinute: 10 })
  })
  afterAll(() => api.close())

  const call = (method: 'GET' | 'OPTIONS', url: string, headers: Record<string, string>) =>
    api.app.inject({ method, url, headers })
  const preflight = (from: string, method = 'PUT', path = '/v1/me/preferences') =>
    call('OPTIONS', path, { origin: from, 'access-control-request-method': method })
  const corsOf = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control'))

  it('may ask which methods and headers it may use', async () => {
    const { statusCode, headers, body } = await preflight(origin)
    expect([statusCode, body]).toEqual([204, ''])
    expect(headers).toMatchObject({
      vary: 'Origin',
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, PUT',
      'access-control-allow-headers': 'authorization, content-type, x-mock-channel-user',
      'access-control-max-age': '600',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it('may read success and errors, with the headers of the rate limit', async () => {
    const exposed = 'x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, x-request-id'
    const shared = {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposed,
      vary: 'Origin',
    }
    const { statusCode, headers } = await call('GET', '/v1/me/preferences', { ...me, origin })
    expect([statusCode, headers]).toMatchObject([200, { ...shared, 'x-ratelimit-limit': '10' }])
    const refused = await call('GET', '/v1/me/inbox', { origin })
    expect([refused.statusCode, refused.headers]).toMatchObject([401, shared])
    const unknown = await call('GET', '/v1/me/inbox?limit=none', { ...me, origin })
    expect([unknown.statusCode, unknown.headers]).toMatchObject([400, shared])
  })

  it('does not use up the rate limit with preflights', async () => {
    for (let n = 0; n < 15; n++) expect((await preflight(origin)).statusCode).toBe(204)
    expect((await call('GET', '/v1/me/inbox', { origin })).statusCode).toBe(401)
  })

  it.each([
    ['another origin', other],
    ['a subdomain', 'https://x.app.example.edu'],
    ['the origin without TLS', 'http://app.example.edu'],
    ['a sandboxed page', 'null'],
  ])('is not %s, which gets no CORS header', async (_name, from) => {
    const refused = await preflight(from)
    expect([refused.statusCode, corsOf(refused.headers)]).toEqual([403, []])
    const { headers } = await call('GET', '/v1/me/preferences', { ...me, origin: from })
    expect([headers.vary, corsOf(headers)]).toEqual(['Origin', []])
  })

  it('may call the operations of recipients only', async () => {
    expect((await preflight(origin, 'GET', '/v1/messages')).statusCode).not.toBe(204)
    const { headers } = await call('GET', '/v1/messages', { origin, authorization: `Bearer ${api.keys.a}` })
    expect(corsOf(headers)).toEqual([])
  })
})

it('no page of another origin may call an installation that names none', async () => {
  const api = await startApi()
  const headers = { origin, 'access-control-request-method': 'GET' }
  const { statusCode } = await api.app.inject({ method: 'OPTIONS', url: '/v1/me/inbox', headers })
  expect(statusCode).toBeGreaterThanOrEqual(400)
  await api.close()
})

describe.skipIf(browserPath === undefined)('in a browser', () => {
  let browser: Browser
  let api: Api
  let base: string
  const servers: Server[] = []
  let pages: { listed: string; unlisted: string }
  beforeAll(async () => {
    pages = { listed: await servePage(), unlisted: await servePage() }
    api = await startApi({ recipientOrigins: [pages.listed], ratePerMinute: 6 })
    base = await api.app.listen({ port: 0 })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    for (const server of servers) server.close()
    await api?.close()
  })

  let page: Page
  beforeEach(async () => {
    page = await browser.newPage()
  })
  afterEach(() => page.close())

  /** Serves an empty page; returns its origin. */
  async function servePage(): Promise<string> {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>App</title>')
    })
    servers.push(server)
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  type Init = { method?: string; headers?: Record<string, string>; body?: string; credentials?: 'include' }
  type FetchCall = { path: string; init: Init }

  /** What a script of the page can learn from a call; `blocked` if the browser keeps the response from it. */
  function fetchFrom(path: string, init: Init = {}) {
    const call: FetchCall = { path: `${base}${path}`, init: { headers: me, ...init } }
    return page.evaluate(async ({ path, init }: FetchCall) => {
      try {
        const response = await fetch(path, init)
        const headers = ['x-ratelimit-limit', 'retry-after'].map((name) => response.headers.get(name))
        return { status: response.status, headers, body: await response.json() }
      } catch {
        return 'blocked'
      }
    }, call)
  }

  it('a listed page reads and changes preferences', async () => {
    await page.goto(pages.listed)
    expect(await fetchFrom('/v1/me/preferences')).toMatchObject({ status: 200, headers: ['6', null] })
    const headers = { ...me, 'content-type': 'application/json' }
    const init = { method: 'PUT', headers, body: JSON.stringify({ language: 'en' }) }
    expect(await fetchFrom('/v1/me/preferences', init)).toMatchObject({
      status: 200,
      body: { language: 'en' },
    })
  })

  it('cookies stay out of it', async () => {
    await page.goto(pages.listed)
    expect(await fetchFrom('/v1/me/preferences', { credentials: 'include' })).toBe('blocked')
  })

  it('another page learns and changes nothing', async () => {
    await page.goto(pages.unlisted)
    expect(await fetchFrom('/v1/me/preferences')).toBe('blocked')
    const headers = { ...me, 'content-type': 'application/json' }
    const init = { method: 'PUT', headers, body: JSON.stringify({ language: 'zh-TW' }) }
    expect(await fetchFrom('/v1/me/preferences', init)).toBe('blocked')
    const { body } = await api.call('getPreferences', { headers: { 'x-mock-channel-user': 'Us1' } })
    expect(body.language).toBe('en')
  })

  it('a listed page learns when to retry after too many requests', async () => {
    await page.goto(pages.listed)
    let answer: Awaited<ReturnType<typeof fetchFrom>> = 'blocked'
    for (let n = 0; n < 7; n++) answer = await fetchFrom('/v1/me/inbox')
    expect(answer).toMatchObject({ status: 429, headers: ['6', expect.stringMatching(/^\d+$/)] })
  })
})
