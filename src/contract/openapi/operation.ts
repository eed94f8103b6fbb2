import { z } from 'zod'
import {
  type Endpoint,
  errorsOf,
  type File,
  isLimited,
  isRateLimited,
  type Lines,
  valuesOf,
} from '../endpoint.ts'
import { errorDetails } from '../error-details.ts'
import { errorMeanings } from '../error-meanings.ts'
import { type ErrorCode, errorStatus } from '../errors.ts'
import { limits } from '../limits.ts'
import type { JsonSchema, JsonSchemas } from './json-schema.ts'
import { securityOf } from './security.ts'

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  example?: unknown
  schema: JsonSchema
}
type Example = { summary: string; value: unknown }
export type Content = Record<
  string,
  { schema?: JsonSchema; example?: unknown; examples?: Record<string, Example> }
>
type Header = { description: string; required?: boolean; schema: JsonSchema }
type Response = { description: string; headers?: Record<string, Header>; content: Content }

/** An Operation Object of OpenAPI 3.1. */
export type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { description?: string; required: boolean; content: Content }
  responses: Record<string, Response>
}

/** The forms of an operation's schemas: in requests, in responses, and the body of its errors by status. */
type Forms = { sent: JsonSchemas; answered: JsonSchemas; errors: ReadonlyMap<number, z.ZodType> }

/** Describes one endpoint with its request and response schemas. */
export function describeOperation(operationId: string, endpoint: Endpoint, forms: Forms): Operation {
  const { sent } = forms
  const { summary, description, tag, auth, params, query, headers } = endpoint
  const parameters = [
    ...parametersIn('path', params, sent),
    ...parametersIn('query', query, sent),
    ...parametersIn('header', headers, sent),
  ]
  const requestBody = requestBodyOf(endpoint, sent)
  return {
    operationId,
    summary,
    description: `${description}\n\n${whoMayCall(endpoint)}`,
    tags: [tag],
    security: auth.flatMap(securityOf),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(endpoint, forms),
  }
}

/**
 * The fields of a schema as parameters. Only required ones have an example: /docs fills in what has one, and an optional
 * filter that nobody chose would leave a list empty.
 */
export function parametersIn(
  location: Parameter['in'],
  fields: z.ZodType | undefined,
  sent: JsonSchemas,
): Parameter[] {
  const { properties = {}, required = [] } = (fields && sent.byZod.get(fields)) ?? {}
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name: location === 'header' ? inHeaderCase(name) : name,
    in: location,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    ...(examples && required.includes(name) && { example: examples[0] }),
    schema,
  }))
}

/** Header names in their usual case: Idempotency-Key. */
function inHeaderCase(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}

function requestBodyOf(endpoint: Endpoint, sent: JsonSchemas): Operation['requestBody'] {
  const { body, bodyExample, bodyOptional = false, upload, lines } = endpoint
  if (upload) {
    const content = Object.entries(upload).map(([type, list]) => [type, linesAs(type, list, sent)])
    return { description: 'The file.', required: true, content: Object.fromEntries(content) }
  }
  if (!body) return undefined
  return {
    description:
      `At most ${limits.bodyBytes / 1024 ** 2} MiB and ${valuesOf(endpoint).toLocaleString('en')} values ` +
      '(list entries and fields, at any depth).',
    required: !bodyOptional,
    content: {
      'application/json': { schema: sent.byZod.get(body)!, example: bodyExample },
      ...(lines && { [ndjson]: linesAs(ndjson, lines, sent) }),
    },
  }
}

const ndjson = 'application/x-ndjson'

/**
 * A body that is read line by line: a text, with the schema of what each line contains. Generators of clients take
 * `format: binary` for a file, and send it as it is.
 */
function linesAs(
  type: string,
  { line, description, example }: Lines | File,
  sent: JsonSchemas,
): Content[string] {
  const file = { type: 'string', format: 'binary', contentMediaType: type }
  const lines = line && { contentSchema: sent.byZod.get(line)! }
  return { schema: { ...file, description, ...lines }, example }
}

function whoMayCall({ auth, roles, unit, administrative, systemAdmin, ...only }: Endpoint): string {
  const { keyRight, administrativePeople } = only
  if (auth.length === 0) return 'No authentication required.'
  const role = roles ? ` (${roles.join(' or ')})` : ''
  const among = roles ? `${roles.join(' or ')}, or of an administrative unit` : 'of an administrative unit'
  const member = administrativePeople ? ` (${among})` : role
  const person = systemAdmin ? ' (system administrator)' : member
  const callers = {
    producer: `a producer key${administrative ? ' of an administrative unit' : keyRight ? ` with ${keyRight}` : ''}`,
    session: `a console session${person}`,
    recipient: 'an ID token of the chat provider',
    event: 'an event signature',
    adapter: "a channel's signature",
  }
  const who = `Requires ${auth.map((scheme) => callers[scheme]).join(' or ')}.`
  if (unit !== 'body' && unit !== 'query') return who
  return `${who} Sessions of people in several units must pass unitId in the ${unit}.`
}

function responsesOf(endpoint: Endpoint, { answered, errors }: Forms): Operation['responses'] {
  const window = isRateLimited(endpoint) && (isLimited(endpoint.path) ? 'per minute' : 'at once')
  const success = Object.entries(endpoint.answers).map(([status, answer]) => {
    const { description, schema, example, contentType = 'application/json', csv } = answer
    const content = {
      [contentType]: { schema: answered.byZod.get(schema)!, example },
      ...(csv !== undefined && { 'text/csv': { schema: { type: 'string' as const }, example: csv } }),
    }
    return [status, { description, ...headersOf(Number(status), window), content }]
  })
  const codesOf = Map.groupBy(errorsOf(endpoint), (code) => errorStatus[code])
  const failures = [...codesOf].map(([status, codes]) => {
    const schema = answered.byZod.get(errors.get(status)!)!
    const content = { 'application/json': { schema, examples: examplesOf(codes, endpoint) } }
    return [status, { description: codes.join(', '), ...headersOf(status, window, codes), content }]
  })
  return Object.fromEntries([...success, ...failures])
}

function headersOf(
  status: number,
  window: string | false,
  codes: ErrorCode[] = [],
): Pick<Response, 'headers'> {
  const headers: Record<string, Header> = {}
  if (status >= 300 && status < 400)
    headers.Location = { description: 'The URL to redirect to.', required: true, schema: { type: 'string' } }
  if (codes.some((code) => retried.includes(code))) headers['Retry-After'] = retryAfter(codes)
  // Every response carries the rate limit headers, except for server errors.
  if (window && status < 500) {
    headers['X-RateLimit-Limit'] = {
      description: `Requests allowed ${window}. Missing if the operator has switched the limit off.`,
      schema: { type: 'integer' },
    }
    headers['X-RateLimit-Remaining'] = {
      description: `Requests remaining ${window === 'at once' ? 'at this moment' : 'in the rolling minute'}.`,
      schema: { type: 'integer' },
    }
    headers['X-RateLimit-Reset'] = {
      description: 'Whole seconds until all requests are available again, if none is made before.',
      schema: { type: 'integer' },
    }
  }
  return Object.keys(headers).length > 0 ? { headers } : {}
}

/** The errors that come with Retry-After. */
const retried: readonly ErrorCode[] = ['rate_limited', 'retryable', 'unavailable']

function retryAfter(codes: ErrorCode[]): Header {
  const without = codes.filter((code) => !retried.includes(code))
  const missing =
    without.length > 0 ? ` Not sent with ${without.join(', ')}, which waiting does not change.` : ''
  return {
    description: `Whole seconds to wait before the next try.${missing}`,
    required: without.length === 0,
    schema: { type: 'integer' },
  }
}

/** The codes of one status, with their meanings and an example of their details. */
function examplesOf(codes: ErrorCode[], { details: own = {} }: Endpoint): Record<string, Example> {
  return Object.fromEntries(
    codes.map((code) => {
      const message = errorMeanings[code]
      const details = exampleOf(own[code] ?? errorDetails[code])
      return [code, { summary: message, value: { error: { code, message, ...details } } }]
    }),
  )
}

function exampleOf(schema: z.ZodType | null): { details?: unknown } {
  const { examples } = (schema && z.globalRegistry.get(schema)) ?? {}
  return Array.isArray(examples) ? { details: examples[0] } : {}
}
