import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { type Endpoint, errorsOf } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { errorMeanings } from '../../../src/contract/error-meanings.ts'
import { errorStatus } from '../../../src/contract/errors.ts'

/** A person who signs in has no credential yet. */
const open = ['/v1/health', '/v1/auth/login', '/v1/auth/callback']
const table = Object.entries<Endpoint>(endpoints)

describe.each(table)('%s', (_id, endpoint) => {
  it('gives examples that its own schemas accept', () => {
    if (endpoint.body) expect(endpoint.body.safeParse(endpoint.bodyExample).error).toBeUndefined()
    for (const { schema, example } of Object.values(endpoint.answers))
      expect(schema.safeParse(example).error).toBeUndefined()
  })

  it('names in its path exactly what it has a schema for', () => {
    const named = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(Object.keys((endpoint.params as z.ZodObject | undefined)?.shape ?? {})).toEqual(named)
  })

  it('states its auth schemes, and the source of a session’s unit', () => {
    if (endpoint.path.startsWith('/v1/') && !open.includes(endpoint.path))
      expect(endpoint.auth.length).toBeGreaterThan(0)
    const ofUnits = endpoint.auth.includes('session') && !endpoint.systemAdmin
    if (endpoint.path.includes('{id}') && ofUnits) expect(endpoint.unit).toBe('object')
  })
})

it('no two operations share a method and a path', () => {
  const places = table.map(([, { method, path }]) => `${method} ${path}`)
  expect(new Set(places).size).toBe(places.length)
})

it('every code has a meaning, in one sentence', () => {
  for (const code of Object.keys(errorStatus))
    expect(errorMeanings[code as keyof typeof errorMeanings]).toMatch(/\.$/)
})

it('operations that require a credential document the error for a missing one', () => {
  for (const [, endpoint] of table)
    expect(errorsOf(endpoint).includes('unauthenticated')).toBe(endpoint.auth.length > 0)
})
