import { validate } from '@scalar/openapi-parser'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Endpoint, errorsOf, isRateLimited, queryOf } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { errorStatus } from '../../../src/contract/errors.ts'
import { describeApi } from '../../../src/contract/openapi/document.ts'
import type { JsonSchema } from '../../../src/contract/openapi/json-schema.ts'

const table = Object.entries<Endpoint>(endpoints)
const document = describeApi(endpoints)
const schemas = document.components.schemas
const json = 'application/json'

const operationOf = ({ path, method }: Endpoint) => document.paths[path]![method.toLowerCase()]!

const readers = new Map<string, z.ZodType>()
/** What a schema of the document finds wrong with a value. */
function faults(schema: JsonSchema, value: unknown): unknown {
  const text = JSON.stringify(schema)
  const reader = readers.get(text) ?? z.fromJSONSchema(JSON.parse(inDefs({ ...schema, $defs: schemas })))
  readers.set(text, reader)
  return reader.safeParse(value).error?.issues
}

/** zod reads references to $defs only. */
function inDefs(schema: object): string {
  return JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')
}

describe('the interface description', () => {
  it('is a valid document of OpenAPI 3.1', async () => {
    const { valid, errors, version } = await validate(structuredClone(document))
    expect(errors).toEqual([])
    expect({ valid, version }).toEqual({ valid: true, version: '3.1' })
  })

  it('is of version 1.0.0, whatever version is installed', () => {
    expect(document.info.version).toBe('1.0.0')
  })

  it('has exactly the operations of the table', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method} ${path}`),
    )
    const stated = table.map(([id, { method, path }]) => `${id}: ${method.toLowerCase()} ${path}`)
    expect(described.sort()).toEqual(stated.sort())
  })

  it('has exactly the named schemas that something refers to', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to!)
    const named = Object.keys(schemas).map((name) => `#/components/schemas/${name}`)
    expect([...new Set(references)].sort()).toEqual(named.sort())
  })

  it('distinguishes the kinds of messages, actions and audiences', () => {
    for (const [name, kinds] of [
      ['CanonicalMessage', 7],
      ['Action', 6],
      ['Audience', 3],
    ] as const)
      expect(schemas[name]!.oneOf).toHaveLength(kinds)
  })

  it('gives named schemas examples that they accept', () => {
    for (const [name, schema] of Object.entries(schemas))
      for (const example of schema.examples ?? []) expect(faults(schema, example), name).toBeUndefined()
  })

  it('is the same each time', () => {
    expect(describeApi(endpoints)).toEqual(document)
  })
})

describe.each(table)('%s', (id, endpoint) => {
  const operation = operationOf(endpoint)

  it('is described, with its auth schemes', () => {
    const { operationId, summary, description, tags, security } = operation
    expect(operationId).toBe(id)
    expect(summary).toBe(endpoint.summary)
    expect(description).toContain(endpoint.description)
    expect(tags).toEqual([endpoint.tag])
    expect(document.tags.map(({ name }) => name)).toContain(endpoint.tag)
    const mocks = { recipient: 'recipientMock', adapter: 'adapterMock' } as const
    const schemes = endpoint.auth.flatMap((scheme) =>
      scheme === 'recipient' || scheme === 'adapter' ? [scheme, mocks[scheme]] : [scheme],
    )
    expect(security).toEqual(schemes.map((scheme) => ({ [scheme]: [] })))
  })

  it('has every parameter of its path, query and headers, and examples that they accept', () => {
    const { parameters = [] } = operation
    const fields = ({ shape }: z.ZodObject) => Object.keys(shape)
    const stated = [endpoint.params, queryOf(endpoint), endpoint.headers]
      .filter((schema) => schema instanceof z.ZodObject)
      .flatMap(fields)
    expect(parameters.map(({ name, in: place }) => (place === 'header' ? name.toLowerCase() : name))).toEqual(
      stated,
    )
    for (const { name, schema, example } of parameters)
      if (example !== undefined) expect(faults(schema, example), name).toBeUndefined()
  })

  it('has no example of a parameter that may be omitted, which a form would fill in', () => {
    const optional = (operation.parameters ?? []).filter(({ required }) => !required)
    for (const { name, schema, example = schema.examples } of optional) expect(example, name).toBeUndefined()
  })

  it('has examples of its body and its answers, which their schemas accept', () => {
    const { requestBody, responses } = operation
    const body = requestBody?.content[json]
    expect(body?.example).toEqual(endpoint.bodyExample)
    if (endpoint.body) expect(faults(body!.schema!, body!.example)).toBeUndefined()
    for (const [type, { example }] of Object.entries(endpoint.upload ?? {}))
      expect(requestBody?.content[type]).toMatchObject({ example, schema: { format: 'binary' } })
    const whole = endpoint.body ? !endpoint.bodyOptional : undefined
    expect(requestBody?.required).toBe(endpoint.upload ? true : whole)
    for (const [status, { example, contentType = json }] of Object.entries(endpoint.answers)) {
      const content = responses[status]!.content[contentType]!
      expect(content.example).toEqual(example)
      expect(faults(content.schema!, example)).toBeUndefined()
    }
  })

  it('has the headers of the rate limit where it has one', () => {
    for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
      const limited = isRateLimited(endpoint) && Number(status) < 500
      for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
        expect(name in headers).toBe(limited)
      expect('Location' in headers).toBe(status.startsWith('3'))
    }
  })

  it('has every error it can answer', () => {
    for (const code of errorsOf(endpoint)) {
      const { schema, examples } = operation.responses[errorStatus[code]]!.content[json]!
      const own = errorsOf(endpoint).some(
        (other) => errorStatus[other] === errorStatus[code] && endpoint.details?.[other],
      )
      if (!own) expect(schema).toEqual({ $ref: '#/components/schemas/ErrorBody' })
      expect(examples![code]!.value).toMatchObject({ error: { code } })
      expect(faults(schema!, examples![code]!.value)).toBeUndefined()
    }
  })
})

describe('a table is rejected', () => {
  const thing = (shape: z.ZodRawShape) => z.object(shape).meta({ id: 'Thing' })
  const endpoint = (body: z.ZodType, answer: z.ZodType): Endpoint => ({
    ...endpoints.createTopic,
    body,
    answers: { 200: { description: 'A thing.', schema: answer, example: {} } },
  })

  it('where a schema is sent in another form than it is answered in', () => {
    const schema = thing({ size: z.int().default(3) })
    expect(() => describeApi({ one: endpoint(schema, schema) })).toThrow(
      /^Thing differs between request and response/,
    )
  })

  it('where two schemas have the same id', () => {
    const both = z.object({ a: thing({ a: z.string() }), b: thing({ b: z.string() }) })
    expect(() => describeApi({ one: endpoint(both, z.string()) })).toThrow(/"Thing"/)
  })

  it('where a schema has no form in JSON', () => {
    expect(() => describeApi({ one: endpoint(z.date(), z.string()) })).toThrow(/JSON Schema/)
  })
})
