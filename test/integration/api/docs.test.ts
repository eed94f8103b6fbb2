import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld, type World } from '../../fixtures/api.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it('the page at /docs loads nothing from elsewhere', async () => {
  expect((await world.app.inject('/docs')).headers.location).toBe('/docs/')
  const page = await world.app.inject('/docs/')
  expect(page.statusCode).toBe(200)
  const addresses = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)
  expect(addresses).toEqual(['js/scalar.js'])
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/https?:/)
})

it('its script comes from us', async () => {
  const script = await world.app.inject('/docs/js/scalar.js')
  expect(script.statusCode).toBe(200)
  expect(script.headers['content-type']).toContain('javascript')
})
