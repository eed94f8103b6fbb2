import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { ServiceError } from '../../contract/errors.ts'

type CorsOptions = {
  /** Origins whose pages may call the operations of recipients. */
  origins: readonly string[]
  /** Whether the mock header of recipients is accepted (CHANNEL_MOCK). */
  mock: boolean
}

/** How long a browser may keep the answer to a preflight (s). */
const preflightSeconds = 600
/** Response headers that a page may read, besides those that every page may. */
const exposed = 'x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, x-request-id'

/**
 * Lets pages of other origins call the operations of recipients, on success and on error alike
 * (docs/design/recipients.md). Without credentials in the sense of CORS: recipients send a token
 * in a header, and cookies of this origin stay out of it. Other origins get no CORS header, so that browsers keep the
 * responses from them. Register it before whatever may answer a request.
 */
export function allowOrigins(app: FastifyInstance, { origins, mock }: CorsOptions): void {
  if (origins.length === 0) return
  const headers = ['authorization', 'content-type', ...(mock ? ['x-mock-channel-user'] : [])].join(', ')
  const methods = methodsByPath()
  const isAllowed = ({ headers: { origin } }: FastifyRequest) =>
    origin !== undefined && origins.includes(origin)

  app.addHook('onRequest', async (request, reply) => {
    if (!methods.has(request.routeOptions.url ?? '')) return
    reply.header('vary', 'Origin')
    if (!isAllowed(request)) return
    reply
      .header('access-control-allow-origin', request.headers.origin)
      .header('access-control-expose-headers', exposed)
  })

  for (const [path, allowed] of methods)
    app.options(path, async (request, reply) => {
      if (!isAllowed(request))
        throw new ServiceError(
          'forbidden',
          'Pages of this origin may not call this installation. Ask its operator to add the origin to RECIPIENT_ORIGINS.',
        )
      reply
        .code(204)
        .header('access-control-allow-methods', allowed.join(', '))
        .header('access-control-allow-headers', headers)
        .header('access-control-max-age', preflightSeconds)
    })
}

/** The methods of recipients' operations, by path as the router spells it. */
function methodsByPath(): Map<string, string[]> {
  const paths = new Map<string, string[]>()
  for (const { auth, path, method } of Object.values<Endpoint>(endpoints)) {
    if (!auth.includes('recipient')) continue
    const routed = path.replaceAll(/\{(\w+)\}/g, ':$1')
    paths.set(routed, [...(paths.get(routed) ?? []), method])
  }
  return paths
}
