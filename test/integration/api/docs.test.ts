import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, startApi } from '../../fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

it('the page at /docs loads nothing from elsewhere', async () => {
  expect((await api.app.inject('/docs')).headers.location).toBe('/docs/')
  const page = await api.app.inject('/docs/')
  expect(page.statusCode).toBe(200)
  const addresses = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)
  expect(addresses).toEqual(['js/scalar.js'])
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/https?:/)
})

it('its script comes from this service', async () => {
  const script = await api.app.inject('/docs/js/scalar.js')
  expect(script.statusCode).toBe(200)
  expect(script.headers['content-type']).toContain('javascript')
})
