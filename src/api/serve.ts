import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { z } from 'zod'
import { type Endpoint, queryOf } from '../contract/endpoint.ts'
import { type Endpoints, endpoints, type OperationId } from '../contract/endpoints.ts'
import { keysOf } from '../contract/enums.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../db/connect.ts'
import type { Caller } from '../domain/rights/principal.ts'
import { type Authenticators, authenticate, type CallerOf, isBodySigned } from './auth/authenticate.ts'
import { objectOf, requireObject } from './auth/object.ts'
import { verifyRawBody } from './auth/raw-body.ts'
import { textIn } from './plugins/request-log.ts'
import { acceptLines, acceptUpload } from './plugins/upload.ts'

declare module 'fastify' {
  interface FastifyInstance {
    authenticators: Authenticators
    /** The database, for what is checked before a handler runs. */
    db: Db
  }
  interface FastifyRequest {
    /** The caller; null for operations without authentication. */
    principal: Caller | null
    /** The id of the object the request is about, for the log. */
    objectId: string | null
    /** The unit of that object, as far as the answer names it, for the log. */
    answeredUnitId: string | null
  }
  interface FastifyContextConfig {
    operation?: OperationId
    /** What a page counts for among the requests of its caller; omitted: 1, and its body. */
    tokens?: number
  }
}

type Part<E, Name extends string> = E extends Record<Name, z.ZodType> ? z.output<E[Name]> : undefined
type Body<E> =
  | (E extends { anyBody: true } ? unknown : Part<E, 'body'>)
  | (E extends { lines: string } ? Readable : never)
type Answers<E> = E extends { answers: Record<number, { schema: infer S }> }
  ? S extends z.ZodType
    ? z.input<S>
    : never
  : never

/** A request after authentication and validation. */
type OperationCall<E> = {
  principal: CallerOf<E>
  params: Part<E, 'params'>
  query: Part<E, 'query'>
  headers: Part<E, 'headers'>
  body: Body<E>
  request: FastifyRequest
  reply: FastifyReply
}

/** Answers an operation, with the value of its schema or, for bytes that are already written, with the sent reply. */
type Handler<Id extends OperationId> = (
  call: OperationCall<Endpoints[Id]>,
) => Promise<Answers<Endpoints[Id]> | FastifyReply>

/** How each operation is answered. */
export type Handlers = { [Id in OperationId]: Handler<Id> }

/** Serves the operations of a table. */
export function serveAll(app: FastifyInstance, handlers: Partial<Handlers>): void {
  for (const id of keysOf(handlers)) serve(app, id, handlers[id] as Handler<typeof id>)
}

/**
 * Serves one operation of the table. It authenticates in onRequest and finds the object there too, so that 401 and 404
 * come before the body is read, and a missing Idempotency-Key before a malformed body. Signed bodies are verified as raw
 * bytes before they are parsed. The status is the first in the table unless the handler sets another.
 */
export function serve<Id extends OperationId>(app: FastifyInstance, id: Id, handle: Handler<Id>): void {
  const endpoint: Endpoint = endpoints[id]
  const { upload, lines } = endpoint
  if (upload || lines || isBodySigned(endpoint))
    // Its own parser of bodies is for this operation alone.
    app.register(async (scope) => {
      if (upload) acceptUpload(scope)
      if (lines) acceptLines(scope)
      if (isBodySigned(endpoint)) verifyRawBody(scope, endpoint)
      route(scope, id, handle)
    })
  else route(app, id, handle)
}

function route<Id extends OperationId>(app: FastifyInstance, id: Id, handle: Handler<Id>): void {
  const endpoint: Endpoint = endpoints[id]
  const status = Number(Object.keys(endpoint.answers)[0])
  const object = objectOf(endpoint)
  // Where the schema lets the header be omitted, the operation decides whether it is needed.
  const keyed =
    endpoint.errors.includes('idempotency_key_required') && !endpoint.headers?.safeParse({}).success
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation: id },
    schema: schemasOf(endpoint),
    onRequest: async (request, reply) => {
      if (isBodySigned(endpoint)) return
      if (request.cookies.hub_session !== undefined && endpoint.auth.length > 0)
        reply.header('cache-control', 'no-store')
      request.principal = await app.admit(request, reply, async () =>
        endpoint.auth.length === 0 ? null : authenticate(app.authenticators, request, endpoint),
      )
      if (object) await requireObject(app.db, request.principal, request, object)
      if (keyed) requireIdempotencyKey(request)
    },
    handler: async (request, reply) => {
      reply.code(status)
      const body = endpoint.bodyOptional ? (request.body ?? {}) : request.body
      const { principal, params, query, headers } = request
      const call = { principal, params, query, headers, body, request, reply }
      request.objectId = textIn(params, 'id')
      const answer = await app.withSlot(request, () =>
        handle(call as unknown as OperationCall<Endpoints[Id]>),
      )
      request.objectId ??= textIn(answer, 'id')
      request.answeredUnitId = textIn(answer, 'unitId')
      return answer
    },
  })
}

/** The schemas for requests and responses. Errors have their own serializer (plugins/errors.ts). */
function schemasOf(endpoint: Endpoint): FastifySchema {
  const { params, headers, answers } = endpoint
  const body = bodyOf(endpoint)
  const responses = Object.entries(answers).map(([status, { schema, contentType = 'application/json' }]) => [
    status,
    { content: { [contentType]: { schema } } },
  ])
  return {
    ...(params && { params }),
    querystring: queryOf(endpoint),
    ...(headers && { headers }),
    ...(body && { body }),
    response: Object.fromEntries(responses),
  }
}

/** The schema of a body, if one is parsed. Where none is needed, `{}` is as good as none. */
function bodyOf({ method, body, bodyOptional, upload, anyBody }: Endpoint): z.ZodType | undefined {
  if (method === 'GET' || upload || anyBody) return undefined
  // Without a body, fastify validates null.
  return body && !bodyOptional ? body : (body ?? empty).nullish()
}

const empty = z.strictObject({})

function requireIdempotencyKey(request: FastifyRequest): void {
  if (request.headers['idempotency-key']) return
  throw new ServiceError(
    'idempotency_key_required',
    'Send an Idempotency-Key header: a text you choose, the same for every retry of this request.',
  )
}
