import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Endpoint, errorsOf, isLimited } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { errorStatus } from '../../../src/contract/errors.ts'
import { type Api, startApi } from '../../fixtures/api.ts'

let api: Api
// biome-ignore lint/suspicious/noExplicitAny: a document is read as a caller would read it
let document: any
beforeAll(async () => {
  api = await startApi()
  document = (await api.app.inject('/openapi.json')).json()
})
afterAll(() => api.close())

const table = Object.entries<Endpoint>(endpoints)

/** Every schema that something refers to, anywhere in the document. */
function references(): string[] {
  return [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name!,
  )
}

describe('the interface description', () => {
  it('is OpenAPI 3.1 of version 1.0.0', () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(document.info).toMatchObject({ title: 'Carillon', version: '1.0.0' })
  })

  it('holds exactly the operations of the table', () => {
    const described = Object.entries<Record<string, { operationId: string }>>(document.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method} ${path}`),
    )
    const stated = table.map(([id, { method, path }]) => `${id}: ${method.toLowerCase()} ${path}`)
    expect(described.sort()).toEqual(stated.sort())
  })

  it('refers to nothing that is not there, and holds nothing that nobody refers to', () => {
    expect([...new Set(references())].sort()).toEqual(Object.keys(document.components.schemas).sort())
  })

  it('tells the kinds of messages, actions and audiences apart', () => {
    for (const [name, kinds] of [
      ['CanonicalMessage', 7],
      ['Action', 6],
      ['Audience', 3],
    ] as const)
      expect(document.components.schemas[name].oneOf).toHaveLength(kinds)
  })
})

describe.each(table)('%s is', (id, endpoint) => {
  const operation = () => document.paths[endpoint.path][endpoint.method.toLowerCase()]

  it('served', async () => {
    const route = { method: endpoint.method, url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1') }
    expect(api.app.hasRoute(route)).toBe(true)
  })

  it('described, with its doors', () => {
    const { operationId, summary, description, tags, security } = operation()
    expect(operationId).toBe(id)
    expect(summary).toBeTruthy()
    expect(description).toContain(endpoint.description)
    expect(tags).toEqual([endpoint.tag])
    expect(document.tags.map(({ name }: { name: string }) => name)).toContain(endpoint.tag)
    expect(security ?? []).toEqual(endpoint.doors.map((door) => ({ [door]: [] })))
  })

  it('shown with examples of its body and its answers', () => {
    const { requestBody, responses } = operation()
    const json = 'application/json'
    expect(requestBody?.content[json]?.example).toEqual(endpoint.bodyExample)
    for (const [type, example] of Object.entries(endpoint.upload ?? {}))
      expect(requestBody.content[type].example).toBe(example)
    const whole = endpoint.body ? !endpoint.bodyOptional : undefined
    expect(requestBody?.required).toBe(endpoint.upload ? true : whole)
    for (const [status, { example, contentType = json }] of Object.entries(endpoint.answers))
      expect(responses[status].content[contentType].example).toEqual(example)
  })

  it('shown with the headers of the rate limit, where it has one', () => {
    for (const [status, { headers = {} }] of Object.entries<{ headers?: object }>(operation().responses)) {
      const limited = isLimited(endpoint.path) && Number(status) < 500
      expect('X-RateLimit-Limit' in headers && 'X-RateLimit-Remaining' in headers).toBe(limited)
    }
  })

  it('shown with every error it can answer', () => {
    const { responses } = operation()
    for (const code of errorsOf(endpoint)) {
      const { schema, examples } = responses[errorStatus[code]].content['application/json']
      expect(schema).toEqual({ $ref: '#/components/schemas/ErrorBody' })
      expect(examples[code].value.error.code).toBe(code)
    }
  })
})
