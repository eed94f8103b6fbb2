import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import type { Caller } from '../../domain/rights/principal.ts'
import { nameOf } from '../caller-name.ts'

/**
 * The id of a request: what its caller or a gateway named it in X-Request-Id, so that both logs can be compared, or a new
 * one. One of another form is not kept, since it might be an address or a text.
 */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const id = headers['x-request-id']
  return typeof id === 'string' && requestId.test(id) ? id : randomUUID()
}

const requestId = /^[\w.:-]{8,64}$/

/**
 * Logs one line for each response: caller, operation, unit, object, status. Never an address, query or body: they hold
 * personal data. `requestId` is also a response header, for callers to quote.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      { ...contextOf(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'request',
    )
  })
}

function contextOf(request: FastifyRequest) {
  const { operation } = request.routeOptions.config
  const caller = callerOf(request.principal)
  const unitId = unitOf(request)
  if (!operation) return { method: request.method, caller, unitId }
  const endpoint: Endpoint = endpoints[operation]
  const object = endpoint.tag === 'Messages' ? 'messageId' : 'objectId'
  return { operation, caller, unitId, ...(request.objectId && { [object]: request.objectId }) }
}

/** The key, or the kind of caller where the id would be a person's; `none`: not authenticated. */
function callerOf(principal: Caller | null): string {
  if (principal === null) return 'none'
  switch (principal.kind) {
    case 'person':
      return principal.systemAdmin ? 'session:administrator' : 'session'
    case 'recipient':
      return 'recipient'
    default:
      return nameOf(principal)
  }
}

/** The unit of the caller, or of what a person of several units asked about; null where there is none. */
function unitOf({ principal, answeredUnitId, params, query, body }: FastifyRequest): string | null {
  if (principal?.kind === 'producer') return principal.unitId
  if (principal?.kind !== 'person') return null
  const units = principal.memberships.map(({ unitId }) => unitId)
  if (units.length === 1) return units[0]!
  const named = [params, query, body].flatMap((part) => [textIn(part, 'id'), textIn(part, 'unitId')])
  return answeredUnitId ?? units.find((unit) => named.includes(unit)) ?? null
}

/** A text property of any value; null if it has none. */
export function textIn(value: unknown, name: string): string | null {
  const property = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof property === 'string' ? property : null
}
