import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Api, startApi } from '../../fixtures/api.ts'
import { freshDatabase } from '../../harness/database.ts'

/** Ten times as many at once. */
const perSecond = 2
const burst = 10 * perSecond
const perMinute = 5

let api: Api
let now = 0
beforeAll(async () => {
  // Time passes for the buckets only when a test says so.
  const start = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => start + now)
  api = await startApi({
    database: await freshDatabase(),
    ratePerSecond: perSecond,
    ratePerMinute: perMinute,
  })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await api.close()
})

const names = ['x-ratelimit-limit', 'x-ratelimit-remaining'] as const
const countsIn = (headers: Record<string, unknown>) =>
  names.map((name) => (name in headers ? Number(headers[name]) : undefined))
const list = (key: string) => api.call('listMessages', { key })
const hits = () =>
  api.database.db
    .selectFrom('rate_window')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()

describe('the operations outside the shared limit', () => {
  it('show on every response how many requests are left, and count in memory', async () => {
    const key = await api.newKey(api.units.a)
    expect(countsIn((await list(key)).headers)).toEqual([burst, burst - 1])
    expect(countsIn((await api.call('getMessage', { key })).headers)).toEqual([burst, burst - 2])
    expect(await hits()).toEqual({ n: 0 })
  })

  it('reject one request too many, and say when the next one is accepted', async () => {
    const [key, other] = [await api.newKey(api.units.a), await api.newKey(api.units.a)]
    for (let n = 0; n < burst; n += 1) expect((await list(key)).status).toBe(200)
    const { code, headers } = await list(key)
    expect([code, countsIn(headers), headers['retry-after']]).toEqual(['rate_limited', [burst, 0], '1'])
    expect(headers['x-ratelimit-reset']).toBe(String(burst / perSecond))
    expect((await list(other)).status).toBe(200)
    now += 1_000 / perSecond
    expect((await list(key)).status).toBe(200)
    expect((await list(key)).code).toBe('rate_limited')
  })

  it('count a long body as several requests', async () => {
    const key = await api.newKey(api.units.a)
    const raw = JSON.stringify({ x: 'x'.repeat(5 * 16 * 1_024) })
    const headers = { 'idempotency-key': 'long' }
    expect(countsIn((await api.call('createMessage', { key, headers, raw })).headers)).toEqual([
      burst,
      burst - 6,
    ])
  })

  it('count callers without a credential, and pages, by their address', async () => {
    now += 3_600_000
    expect(countsIn((await api.call('getHealth')).headers)).toEqual([burst, burst - 1])
    const left = []
    for (const url of ['/openapi.json', '/', '/nothing', '/l/nothing'])
      left.push(countsIn((await api.app.inject(url)).headers)[1])
    expect(left).toEqual([2, 3, 4, 5].map((used) => burst - used))
  })

  it('count a search in the pages as what it takes', async () => {
    now += 3_600_000
    const search = () => api.app.inject('/docs/api/search?q=upgrade')
    expect(countsIn((await search()).headers)).toEqual([burst, burst - 20])
    expect((await search()).statusCode).toBe(429)
    now += 3_600_000
    expect((await search()).statusCode).toBe(200)
    now += 3_600_000
  })

  it('never reject the probes of an orchestrator, or a channel’s webhooks', async () => {
    for (let n = 0; n <= burst; n += 1) {
      expect((await api.call('livez')).status).toBe(200)
      expect((await api.call('readyz')).status).toBe(200)
      const headers = { 'x-mock-signature': 'ok' }
      expect((await api.call('receiveChatWebhook', { headers, body: { events: [] } })).status).toBe(200)
    }
  })
})

describe('failed credentials', () => {
  it('count against the caller’s address everywhere, and not against those with a good one', async () => {
    now += 3_600_000
    const wrong = (n: number) => `hub_nobody${n}_secret`
    const ways = [
      () => list(wrong(1)),
      () => api.call('getMessage', { session: 'unknown' }),
      () => api.call('receiveChatWebhook', { headers: { 'x-mock-signature': 'no' }, body: { events: [] } }),
      () => api.call('createMessage', { key: wrong(2), raw: '{' }),
      () => api.call('adminListUnits'),
    ]
    const left = []
    for (const way of ways) {
      const { status, headers } = await way()
      expect(status).toBe(401)
      left.push(countsIn(headers))
    }
    expect(left).toEqual([4, 3, 2, 1, 0].map((remaining) => [perMinute, remaining]))
    for (const way of ways) expect((await way()).code).toBe('rate_limited')
    expect((await list(api.keys.b)).status).toBe(200)
    now += 60_000 / perMinute
    expect((await list(wrong(3))).code).toBe('invalid_credential')
  })
})
