import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { describeApi } from '../../../src/contract/openapi/document.ts'
import { startApi } from '../../fixtures/api.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

it('/openapi.json describes the table of operations', async () => {
  const answer = await api.app.inject('/openapi.json')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.json()).toEqual(describeApi(endpoints))
})

it('/openapi.json is sent again only to those who do not have it', async () => {
  const { headers } = await api.app.inject('/openapi.json')
  const again = await api.app.inject({
    url: '/openapi.json',
    headers: { 'if-none-match': String(headers.etag) },
  })
  expect([again.statusCode, again.headers.etag, again.body]).toEqual([304, headers.etag, ''])
})

it('/metrics is not there for callers of the API', async () => {
  expect((await api.app.inject('/metrics')).statusCode).toBe(404)
})

describe.each(Object.entries<Endpoint>(endpoints))('%s', (_id, { method, path }) => {
  it('is served', () => {
    expect(api.app.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') })).toBe(true)
  })
})
