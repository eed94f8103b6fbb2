import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { startApi } from '../../fixtures/api.ts'

const perSecond = 100

// No bucket is refilled.
beforeAll(() => {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
})
afterAll(() => {
  vi.restoreAllMocks()
})

/** An API that says how many requests the caller with these forwarded addresses has made. */
async function open(trustProxy: boolean | number | string[]) {
  const api = await startApi({ ratePerSecond: perSecond, trustProxy })
  onTestFinished(() => api.close())
  return async (forwarded: string) => {
    const headers = { 'x-forwarded-for': forwarded }
    const answer = await api.app.inject({ url: '/openapi.json', headers })
    return 10 * perSecond - Number(answer.headers['x-ratelimit-remaining'])
  }
}

it('one proxy: the caller is the last address, whatever the caller writes before it', async () => {
  const count = await open(1)
  expect(await count('203.0.113.7')).toBe(1)
  expect(await count('198.51.100.1, 203.0.113.7')).toBe(2)
  expect(await count('198.51.100.2, 203.0.113.7')).toBe(3)
  expect(await count('203.0.113.7, 203.0.113.8')).toBe(1)
})

it('two proxies: the caller is the last address but one', async () => {
  const count = await open(2)
  expect(await count('203.0.113.7, 10.0.0.1')).toBe(1)
  expect(await count('198.51.100.1, 203.0.113.7, 10.0.0.2')).toBe(2)
  expect(await count('203.0.113.8, 10.0.0.1')).toBe(1)
})

it('addresses of proxies: the caller is the last address that is none of them', async () => {
  const count = await open(['loopback', '10.0.0.0/8'])
  expect(await count('203.0.113.7, 10.0.0.1')).toBe(1)
  expect(await count('198.51.100.1, 203.0.113.7, 10.1.1.1, 10.0.0.2')).toBe(2)
  expect(await count('10.0.0.1, 203.0.113.7')).toBe(3)
})

it('no proxy: forwarded addresses are ignored', async () => {
  const count = await open(false)
  expect(await count('203.0.113.7')).toBe(1)
  expect(await count('203.0.113.8')).toBe(2)
})
