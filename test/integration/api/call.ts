import type { FastifyInstance, InjectOptions } from 'fastify'
import { expect } from 'vitest'
import { type Endpoint, errorsOf } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { ErrorBody } from '../../../src/contract/error-body.ts'
import { errorStatus } from '../../../src/contract/errors.ts'

export type CallOptions = {
  /** A producer key. */
  key?: string
  /** A console session. */
  session?: string
  /** What the path names: an id, a uid. */
  id?: string
  /** Where the path names a channel; chat unless said. */
  channel?: string
  query?: Record<string, string | string[]>
  headers?: Record<string, string>
  body?: unknown
  /** The bytes of the body as they are, instead of `body`. */
  raw?: string
}

/** `code` is null for a success. */
export type Answered = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a caller would
  body: any
  code: string | null
  headers: Record<string, unknown>
}
export type Caller = (operation: OperationId, options?: CallOptions) => Promise<Answered>

/**
 * Calls an operation and holds the answer against its row in the table: an error has the error's shape and a code that
 * the operation states; a success has a status and a body that it states.
 */
export function callerOf(app: FastifyInstance): Caller {
  return async (operation, options = {}) => {
    const endpoint: Endpoint = endpoints[operation]
    const response = await app.inject(requestOf(endpoint, options))
    const { statusCode: status, headers } = response
    const answer = endpoint.answers[status]
    if (!answer) return { status, ...errorIn(response.body, status, endpoint), headers }
    if (answer.contentType) return { status, body: response.body, code: null, headers }
    const body = response.json()
    expect(answer.schema.safeParse(body).error, `${operation} answered ${response.body}`).toBeUndefined()
    return { status, body, code: null, headers }
  }
}

function errorIn(text: string, status: number, endpoint: Endpoint) {
  const body = ErrorBody.parse(JSON.parse(text))
  const { code } = body.error
  expect(errorStatus[code]).toBe(status)
  expect(errorsOf(endpoint), `${endpoint.method} ${endpoint.path}: ${text}`).toContain(code)
  expect(text).not.toMatch(/\bat .*\.ts:\d+/)
  return { body, code }
}

function requestOf(
  endpoint: Endpoint,
  { key, session, id, channel = 'chat', query, headers, body, raw }: CallOptions,
): InjectOptions {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  return {
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === 'channel' ? channel : (id ?? '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f'),
    ),
    ...(query && { query }),
    ...(payload !== undefined && { payload }),
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(session && { cookie: `hub_session=${session}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  }
}
