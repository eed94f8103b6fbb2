import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'

/**
 * Logs one line for each response: operation, unit, object, status. Never an address, query or body: they hold personal
 * data. `requestId` is also a response header, for callers to quote.
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
  if (!operation) return { method: request.method }
  const endpoint: Endpoint = endpoints[operation]
  const object = endpoint.tag === 'Messages' ? 'messageId' : 'objectId'
  return {
    operation,
    ...(request.principal?.kind === 'producer' && { unitId: request.principal.unitId }),
    ...(request.objectId && { [object]: request.objectId }),
  }
}
