import type { z } from 'zod'
import type { Role } from './enums.ts'
import type { ErrorCode } from './errors.ts'

/**
 * How a caller authenticates: a producer key, the console session of a person, an id token of the chat provider for a
 * recipient, the signature of a system that sends events, the signature of a channel that posts webhooks.
 */
export type AuthScheme = 'producer' | 'session' | 'recipient' | 'event' | 'adapter'

/** One answer that is no error. `contentType` where it is no JSON. */
export type Answer = {
  description: string
  schema: z.ZodType
  example: unknown
  contentType?: string
}

/** The chapters of the interface description. */
export type Tag =
  | 'Messages'
  | 'Catalogue'
  | 'Topics'
  | 'Groups'
  | 'Units'
  | 'Identity'
  | 'Imports'
  | 'Events'
  | 'Recipients'
  | 'Sign-in'
  | 'Webhooks'
  | 'Callbacks'
  | 'Administration'
  | 'Service'

/**
 * One operation. The table of these drives the routes, the interface description, the client's types and the test
 * that everything is served, described and has its door.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{id}` where a parameter stands. */
  path: string
  tag: Tag
  summary: string
  description: string
  /** Verified credentials of another kind are answered 403 forbidden. Empty: open to everybody. */
  doors: readonly AuthScheme[]
  /** Which roles a person needs in the unit, one of them; left out: any. */
  roles?: readonly Role[]
  /** Only keys of an administrative unit: others are answered 403 identity_api_forbidden. */
  administrative?: true
  /** Only persons who are system administrators: others are answered 403 forbidden. */
  systemAdmin?: true
  /** Where the unit of a session comes from. `object`: it is the unit of what the path names. */
  unit: 'none' | 'body' | 'query' | 'object'
  params?: z.ZodType
  query?: z.ZodType
  headers?: z.ZodType
  body?: z.ZodType
  /** The body may be left out. */
  bodyOptional?: boolean
  bodyExample?: unknown
  /** The body is a file that the handler reads as it comes: an example for each type it may be of. */
  upload?: Readonly<Record<string, string>>
  /** Where more is taken than `limits.bodyBytes`. */
  bodyBytes?: number
  answers: Readonly<Record<number, Answer>>
  /** Besides those that follow from the rest, see `errorsOf`. */
  errors: readonly ErrorCode[]
}

/** Every error code that an operation can answer. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(endpoint.errors)
  if (endpoint.doors.length > 0) codes.add('unauthenticated')
  if (endpoint.doors.some(identifiesCaller)) codes.add('invalid_credential').add('forbidden')
  if (endpoint.doors.includes('recipient')) codes.add('not_bound')
  if (endpoint.doors.includes('event')) codes.add('unknown_key').add('bad_signature').add('stale_timestamp')
  if (endpoint.doors.includes('adapter')) codes.add('bad_signature')
  if (endpoint.administrative) codes.add('identity_api_forbidden')
  if (isLimited(endpoint.path)) codes.add('rate_limited')
  if (endpoint.unit === 'body' || endpoint.unit === 'query') codes.add('unit_required')
  if (endpoint.params) codes.add('not_found')
  if (endpoint.query || endpoint.headers || endpoint.method !== 'GET') codes.add('validation_error')
  if (endpoint.method !== 'GET') codes.add('payload_too_large')
  return [...codes.add('internal').add('unavailable')]
}

/** Doors with a credential that says who is calling; the others verify a signature over what was sent. */
function identifiesCaller(door: AuthScheme): boolean {
  return door === 'producer' || door === 'session' || door === 'recipient'
}

/** The prefixes that share one rate limit (docs/api/events.md, Rate limit). */
export function isLimited(path: string): boolean {
  return /^\/v1\/(auth|events|subjects|me)\//.test(path)
}
