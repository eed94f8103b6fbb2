import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isId } from '../../domain/lib/id.ts'
import { type Span, startSpan, within } from '../../tracing/spans.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request; null while nothing is recorded, and for probes. */
    span: Span | null
  }
}

/** Asked every few seconds by machines; a trace of each would hide the others. */
const probes = new Set(['/livez', '/readyz', '/v1/health'])

/**
 * Records a span for each request, within the caller's if the header `traceparent` names one. It is named by the route,
 * never by the path, which may hold a person's uid or a token.
 */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span', null)
  app.addHook('onRequest', async (request) => {
    const route = request.routeOptions.url
    if (route === undefined || probes.has(route)) return
    const parent = request.headers.traceparent
    request.span =
      startSpan(`${request.method} ${route}`, {
        kind: 'server',
        parent: typeof parent === 'string' ? parent : undefined,
        attributes: { 'http.request.method': request.method, 'http.route': route },
      }) ?? null
  })
  // Later than the body, whose events come from the connection and not from this request.
  app.addHook('preHandler', (request, _reply, done) => within(request.span ?? undefined, done))
  app.addHook('onResponse', async (request, reply) => {
    if (!request.span) return
    request.span.set({ 'http.response.status_code': reply.statusCode, ...factsOf(request) })
    if (reply.statusCode >= 500) request.span.fail(String(reply.statusCode))
    request.span.end()
  })
}

/** Ids alone: an object may also be named by a uid. */
function factsOf({ id, routeOptions, principal, objectId }: FastifyRequest) {
  return {
    'carillon.request_id': id,
    'carillon.operation': routeOptions.config.operation,
    'carillon.unit_id': principal?.kind === 'producer' ? principal.unitId : undefined,
    'carillon.object_id': objectId !== null && isId(objectId) ? objectId : undefined,
  }
}
