import { z } from 'zod'
import { UnitId } from './common.ts'
import type { Role } from './enums.ts'
import { ErrorBody, errorBodyOf, errorSchemaOf, errorSchemas } from './error-body.ts'
import { type ErrorCode, errorStatus } from './errors.ts'
import { limits } from './limits.ts'

/**
 * How a caller authenticates: a producer key, a person's console session, a recipient's ID token of the chat provider,
 * the signature of a system that sends events, or the signature of a channel that posts webhooks.
 */
export type AuthScheme = 'producer' | 'session' | 'recipient' | 'event' | 'adapter'

/** A success response. `contentType` only if it is not JSON. */
export type Answer = {
  description: string
  schema: z.ZodType
  example: unknown
  contentType?: string
  /** All pages as a table, by `Accept: text/csv`: the example of one. */
  csv?: string
}

/** A body that the handler reads line by line: the schema of one line, what the lines are, and an example. */
export type Lines = { line: z.ZodType; description: string; example: string }

/** A body of any bytes, such as a picture. */
export type File = Omit<Lines, 'line'> & { line?: undefined }

/** The chapters of the OpenAPI document. */
export type Tag =
  | 'Messages'
  | 'Media'
  | 'Catalogue'
  | 'Scenarios'
  | 'Patterns'
  | 'Topics'
  | 'Groups'
  | 'Units'
  | 'Identity'
  | 'Imports'
  | 'Events'
  | 'Recorded events'
  | 'Recipients'
  | 'Sign-in'
  | 'Webhooks'
  | 'Callbacks'
  | 'Runs'
  | 'Schedules'
  | 'Handoffs'
  | 'Administration'
  | 'Service'

/**
 * One operation. The table of operations drives the routes, the OpenAPI document, the client's types, and the tests
 * that check that every operation is served, documented and authenticated.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters in braces: `{id}`. */
  path: string
  tag: Tag
  summary: string
  description: string
  /** The accepted auth schemes. Any other verified credential fails with 403 forbidden. Empty: no authentication. */
  auth: readonly AuthScheme[]
  /** A person must have one of these roles in the unit. Omitted: any role. */
  roles?: readonly Role[]
  /** Producer keys need this right; others fail with 403 forbidden. */
  keyRight?: 'groupWriting' | 'handoffReply' | 'individualTargeting'
  /**
   * People may call it about objects of an administrative unit only; others fail with 403 forbidden. With `roles`, people
   * with one of them may also call it about objects of any of their units.
   */
  administrativePeople?: true
  /** With `roles`: who submitted the object, and its organisers, may call it too. */
  readers?: true
  /** Only for keys of an administrative unit; others fail with 403 identity_api_forbidden. */
  administrative?: true
  /** Only for system administrators; others fail with 403 forbidden. */
  systemAdmin?: true
  /** Where a session's unit comes from. `object`: from the resource in the path. */
  unit: 'none' | 'body' | 'query' | 'object'
  params?: z.ZodType
  /** Other parameters are rejected, unless the schema says itself what it does with them. See `queryOf`. */
  query?: z.ZodObject
  headers?: z.ZodType
  body?: z.ZodType
  /** The body may be omitted. */
  bodyOptional?: boolean
  /** The most values (list entries and fields, at any depth) of a JSON body; `limits.jsonValues` if omitted. */
  values?: number
  bodyExample?: unknown
  /** The operation itself reads the body, which only has to be JSON: it also records what does not match the schema. */
  anyBody?: true
  /** The body is a file that the handler streams, by accepted content type. */
  upload?: Readonly<Record<string, Lines | File>>
  /** The body may also be a list as `application/x-ndjson`, which the handler streams. */
  lines?: Lines
  answers: Readonly<Record<number, Answer>>
  /** In addition to those that `errorsOf` derives from the other fields. */
  errors: readonly ErrorCode[]
  /** The details of errors that differ from those in error-details.ts. */
  details?: Readonly<Partial<Record<ErrorCode, z.ZodType>>>
}

/**
 * The query that an operation takes, without unknown parameters. `unitId` is known wherever a session may call, so that a
 * console can send it with every request; where the body or the path decides the unit, it is not used.
 */
export function queryOf({ query = z.object({}), auth }: Endpoint): z.ZodObject {
  if (query.def.catchall) return query
  const schema = auth.includes('session') && !('unitId' in query.shape) ? query.safeExtend(unused) : query
  return schema.strict()
}

const unused = {
  unitId: UnitId.describe(
    'Accepted, so that a console can send it with every request, and not used: this operation knows the unit otherwise.',
  ),
}

/** The most values of an operation's JSON body. */
export function valuesOf({ values = limits.jsonValues }: Endpoint): number {
  return values
}

/** Every error code that an operation can return. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(endpoint.errors)
  if (endpoint.auth.length > 0) codes.add('unauthenticated')
  if (endpoint.auth.some(identifiesCaller)) codes.add('invalid_credential').add('forbidden')
  if (endpoint.auth.includes('recipient')) codes.add('not_bound')
  if (endpoint.auth.includes('event')) codes.add('unknown_key').add('bad_signature').add('stale_timestamp')
  if (endpoint.auth.includes('adapter')) codes.add('bad_signature')
  if (endpoint.administrative) codes.add('identity_api_forbidden')
  if (isRateLimited(endpoint) || endpoint.auth.length > 0) codes.add('rate_limited')
  if (endpoint.unit === 'body' || endpoint.unit === 'query') codes.add('unit_required')
  if (endpoint.params) codes.add('not_found')
  codes.add('validation_error')
  if (endpoint.method !== 'GET') codes.add('payload_too_large')
  return [...codes.add('internal').add('unavailable')]
}

/** The body of the errors of each status that an operation can return. */
export function errorBodiesOf(id: string, endpoint: Endpoint): Map<number, z.ZodType> {
  const { details = {} } = endpoint
  const byStatus = Map.groupBy(errorsOf(endpoint), (code) => errorStatus[code])
  return new Map(
    [...byStatus].map(([status, codes]) => {
      if (!codes.some((code) => code in details)) return [status, ErrorBody]
      const prefix = `${id.charAt(0).toUpperCase()}${id.slice(1)}`
      const schemas = codes.map((code) => {
        const own = details[code]
        return own ? errorSchemaOf(code, own, prefix) : errorSchemas.get(code)!
      })
      return [status, errorBodyOf(schemas)]
    }),
  )
}

/** Whether the scheme identifies the caller; the others verify a signature over the body. */
function identifiesCaller(scheme: AuthScheme): boolean {
  return scheme === 'producer' || scheme === 'session' || scheme === 'recipient'
}

/** Whether its requests are limited. Not: webhooks, with events of many people, and the probes of an orchestrator. */
export function isRateLimited({ auth, path }: Endpoint): boolean {
  return !auth.includes('adapter') && !['/livez', '/readyz'].includes(path)
}

/** The prefixes that share one rate limit (docs/api/events.md, Rate limit). */
export function isLimited(path: string): boolean {
  return /^\/v1\/(auth|events|subjects|me)\//.test(path)
}
