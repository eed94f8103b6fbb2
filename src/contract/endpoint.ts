import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/** Who may knock: a producer key, or a person with a console session. */
export type Door = 'producer' | 'session'

/** One answer that is no error. `contentType` where it is no JSON. */
export type Answer = {
  description: string
  schema: z.ZodType
  example: unknown
  contentType?: string
}

/**
 * One operation. The table of these drives the routes, the interface description, the client's types and the test
 * that everything is served, described and has its door.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH'
  /** With `{id}` where a parameter stands. */
  path: string
  tag: 'Messages' | 'Catalogue' | 'Units' | 'Service'
  summary: string
  description: string
  /** Verified credentials of another kind are answered 403 forbidden. Empty: open to everybody. */
  doors: readonly Door[]
  /** Which roles a person needs in the unit, one of them; left out: any. */
  roles?: readonly ('editor' | 'approver')[]
  /** Where the unit of a session comes from. `object`: it is the unit of what the path names. */
  unit: 'none' | 'body' | 'query' | 'object'
  params?: z.ZodType
  query?: z.ZodType
  headers?: z.ZodType
  body?: z.ZodType
  /** The body may be left out. */
  bodyOptional?: boolean
  bodyExample?: unknown
  answers: Readonly<Record<number, Answer>>
  /** Besides those that follow from the rest, see `errorsOf`. */
  errors: readonly ErrorCode[]
}

/** Every error code that an operation can answer. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(endpoint.errors)
  if (endpoint.doors.length > 0) codes.add('unauthenticated').add('invalid_credential').add('forbidden')
  if (endpoint.unit === 'body' || endpoint.unit === 'query') codes.add('unit_required')
  if (endpoint.params) codes.add('not_found')
  if (endpoint.query || endpoint.headers || endpoint.method !== 'GET') codes.add('validation_error')
  if (endpoint.method !== 'GET') codes.add('payload_too_large')
  return [...codes.add('internal').add('unavailable')]
}
