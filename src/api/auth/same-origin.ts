import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'

const reads = ['GET', 'HEAD', 'OPTIONS']

/**
 * A browser sends cookies along with what other sites make it do; it also says where a request comes from, in
 * Sec-Fetch-Site and Origin. What changes something must come from our own pages. Programs such as curl send neither
 * header, and no other site can make them.
 * @throws ServiceError forbidden
 */
export function requireSameOrigin(request: FastifyRequest): void {
  if (reads.includes(request.method)) return
  const { origin, 'sec-fetch-site': site } = request.headers
  const elsewhere = site !== undefined && site !== 'same-origin'
  const foreign = origin !== undefined && hostOf(origin) !== request.host
  if (elsewhere || foreign)
    throw new ServiceError('forbidden', 'This request comes from another site. Use the console itself.')
}

/** Host and port of an origin; `null`, which sandboxed pages send, has none. */
function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null
}
