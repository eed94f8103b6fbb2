import type { z } from 'zod'
import { type Endpoint, errorsOf, isLimited, isRated, valuesOf } from '../endpoint.ts'
import { ErrorBody } from '../error-body.ts'
import { errorMeanings } from '../error-meanings.ts'
import { type ErrorCode, errorStatus } from '../errors.ts'
import { limits } from '../limits.ts'
import type { JsonSchema, JsonSchemas } from './json-schema.ts'

type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  example?: unknown
  schema: JsonSchema
}
type Example = { summary: string; value: unknown }
type Content = Record<string, { schema?: JsonSchema; example?: unknown; examples?: Record<string, Example> }>
type Header = { description: string; schema: JsonSchema }
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

/** Describes one endpoint with its request and response schemas. */
export function describeOperation(
  operationId: string,
  endpoint: Endpoint,
  sent: JsonSchemas,
  answered: JsonSchemas,
): Operation {
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
    security: auth.map((scheme) => ({ [scheme]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(endpoint, answered),
  }
}

function parametersIn(place: Parameter['in'], fields: z.ZodType | undefined, sent: JsonSchemas): Parameter[] {
  const { properties = {}, required = [] } = (fields && sent.byZod.get(fields)) ?? {}
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name: place === 'header' ? inHeaderCase(name) : name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    ...(examples && { example: examples[0] }),
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
    const content = Object.entries(upload).map(([type, example]) => [type, { schema: file, example }])
    return { required: true, content: Object.fromEntries(content) }
  }
  if (!body) return undefined
  return {
    description:
      `At most ${limits.bodyBytes / 1024 ** 2} MiB and ${valuesOf(endpoint).toLocaleString('en')} values ` +
      '(list entries and fields, at any depth).',
    required: !bodyOptional,
    content: {
      'application/json': { schema: sent.byZod.get(body)!, example: bodyExample },
      ...(lines !== undefined && { 'application/x-ndjson': { schema: file, example: lines } }),
    },
  }
}

/** The schema of a body that is read line by line. */
const file: JsonSchema = { type: 'string' }

function whoMayCall({ auth, roles, unit, administrative, systemAdmin, keyRight }: Endpoint): string {
  if (auth.length === 0) return 'No authentication required.'
  const person = systemAdmin ? ' (system administrator)' : roles ? ` (${roles.join(' or ')})` : ''
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

function responsesOf(endpoint: Endpoint, answered: JsonSchemas): Operation['responses'] {
  const limited = isRated(endpoint)
  const window = isLimited(endpoint.path) ? 'per minute' : 'at once'
  const answers = Object.entries(endpoint.answers).map(([status, answer]) => {
    const { description, schema, example, contentType = 'application/json' } = answer
    const content = { [contentType]: { schema: answered.byZod.get(schema)!, example } }
    return [status, { description, ...headersOf(Number(status), limited && window), content }]
  })
  const errors = [...Map.groupBy(errorsOf(endpoint), (code) => errorStatus[code])].map(([status, codes]) => {
    const content = {
      'application/json': { schema: answered.byZod.get(ErrorBody)!, examples: examplesOf(codes) },
    }
    return [status, { description: codes.join(', '), ...headersOf(status, limited && window), content }]
  })
  return Object.fromEntries([...answers, ...errors])
}

function headersOf(status: number, window: string | false): Pick<Response, 'headers'> {
  const headers: Record<string, Header> = {}
  if (status >= 300 && status < 400)
    headers.Location = { description: 'The URL to redirect to.', schema: { type: 'string' } }
  if (status === 429 || status === 503)
    headers['Retry-After'] = { description: 'Seconds to wait before retrying.', schema: { type: 'integer' } }
  // Every response carries the rate limit headers, except for server errors.
  if (window && status < 500) {
    headers['X-RateLimit-Limit'] = {
      description: `Requests allowed ${window}.`,
      schema: { type: 'integer' },
    }
    headers['X-RateLimit-Remaining'] = {
      description: 'Requests remaining.',
      schema: { type: 'integer' },
    }
  }
  return Object.keys(headers).length > 0 ? { headers } : {}
}

/** The codes of one status, with their meanings. */
function examplesOf(codes: ErrorCode[]): Record<string, Example> {
  return Object.fromEntries(
    codes.map((code) => {
      const message = errorMeanings[code]
      return [code, { summary: message, value: { error: { code, message } } }]
    }),
  )
}
