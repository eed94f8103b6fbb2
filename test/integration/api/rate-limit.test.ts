import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../../fixtures/api.ts'
import { newEvent, sendEvent } from '../../fixtures/signed-event.ts'
import { type FrozenClock, freezeClock } from '../../harness/clock.ts'
import { freshDatabase } from '../../harness/database.ts'

const most = 5

let clock: FrozenClock
let api: Api
beforeAll(async () => {
  const database = await freshDatabase()
  clock = await freezeClock(database)
  api = await startApi({ database, ratePerMinute: most })
})
afterAll(async () => {
  await clock.close()
  await api.close()
})
beforeEach(() => sql`truncate rate_window`.execute(api.database.db))

const names = ['x-ratelimit-limit', 'x-ratelimit-remaining'] as const
const countsIn = (headers: Record<string, unknown>) =>
  names.map((name) => (name in headers ? Number(headers[name]) : undefined))

async function use(times: number, send: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < times; n++) await send()
}
const byNewKey = () => sendEvent(api, newEvent())
const withoutSignature = () => api.call('receiveEvent', { id: 'sis', body: newEvent() })
const inbox = () => api.call('listInbox', { headers: { 'x-mock-channel-user': 'Us1' } })

describe('the limited prefixes', () => {
  it('show on every response how many requests are left', async () => {
    expect(countsIn((await byNewKey()).headers)).toEqual([most, most - 1])
    const bad = await sendEvent(api, {})
    expect([bad.status, countsIn(bad.headers)]).toEqual([202, [most, most - 2]])
    const stranger = await withoutSignature()
    expect([stranger.status, countsIn(stranger.headers)]).toEqual([401, [most, most - 1]])
    const nothing = await api.app.inject('/v1/subjects/a/b/c/d')
    expect([nothing.statusCode, countsIn(nothing.headers)]).toEqual([404, [most, most - 2]])
  })

  it('show it on the answers that no operation gives', async () => {
    const ways = [
      [404, 'GET', '/v1/subjects/a/b/c/d'],
      [404, 'GET', '/v1/%65vents/a/b/c/d'],
      [404, 'GET', '/v1/subjects/%ff'],
      [405, 'DELETE', '/v1/events/sis'],
      [405, 'PROPFIND', '/v1/me/inbox'],
    ] as const
    for (const [at, [status, method, url]] of ways.entries()) {
      const answer = await api.app.inject({ method: method as 'GET', url })
      expect([url, answer.statusCode, countsIn(answer.headers)]).toEqual([url, status, [most, most - 1 - at]])
    }
  })

  it('reject one request too many, and return when the next one is accepted', async () => {
    await use(most, byNewKey)
    const { status, code, headers } = await byNewKey()
    expect([status, code, countsIn(headers)]).toEqual([429, 'rate_limited', [most, 0]])
    expect([headers['retry-after'], headers['x-ratelimit-reset']]).toEqual(['60', '60'])
    const { at } = clock
    await clock.set(at + 59_999)
    const late = (await byNewKey()).headers
    expect([late['retry-after'], late['x-ratelimit-reset']]).toEqual(['1', '1'])
    await clock.set(at + 60_000)
    expect((await byNewKey()).status).toBe(202)
  })

  it('do not count rejected requests', async () => {
    await use(most * 3, byNewKey)
    const { hits } = await api.database.db.selectFrom('rate_window').select('hits').executeTakeFirstOrThrow()
    expect(hits).toHaveLength(most)
  })

  it('share one window for each caller', async () => {
    await use(most, byNewKey)
    expect((await byNewKey()).code).toBe('rate_limited')
    expect((await sendEvent(api, newEvent(), { keyId: 'old' })).status).toBe(202)
    expect((await inbox()).status).toBe(200)
    const lookUp = () => api.call('getSubject', { key: api.keys.b, id: 's1' })
    await use(most, lookUp)
    expect((await lookUp()).code).toBe('rate_limited')
    expect((await inbox()).status).toBe(200)
  })

  it('count failed authentication against the caller’s address, not against the named principal', async () => {
    await use(most, () => sendEvent(api, newEvent(), { secret: 'guessed' }))
    expect((await sendEvent(api, newEvent(), { secret: 'guessed' })).code).toBe('rate_limited')
    expect((await withoutSignature()).code).toBe('rate_limited')
    expect((await byNewKey()).status).toBe(202)
  })

  it('leave other paths alone', async () => {
    const { headers } = await api.call('listMessages', { key: api.keys.a })
    expect(countsIn(headers)).toEqual([undefined, undefined])
  })

  it('match their paths in any spelling', async () => {
    const { headers } = await api.app.inject({ method: 'POST', url: '/v1/%65vents/sis', payload: {} })
    expect(countsIn(headers)).toEqual([most, most - 1])
  })
})
