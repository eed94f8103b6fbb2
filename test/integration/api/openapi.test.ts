import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { describeApi } from '../../../src/contract/openapi/document.ts'
import { type Api, startApi } from '../../fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

it('/openapi.json describes the table of operations', async () => {
  const answer = await api.app.inject('/openapi.json')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.json()).toEqual(describeApi(endpoints))
})

describe.each(Object.entries<Endpoint>(endpoints))('%s', (_id, { method, path }) => {
  it('is served', () => {
    expect(api.app.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') })).toBe(true)
  })
})
