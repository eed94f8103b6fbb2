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
  const foreign = origin !== undefined && !isOurs(origin, request.host)
  if (elsewhere || foreign)
    throw new ServiceError('forbidden', 'This request comes from another site. Use the console itself.')
}

/** `null`, which sandboxed pages send, is nobody's. A port that goes without saying may be said by one of the two. */
function isOurs(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host: theirs } = new URL(origin)
  return URL.canParse(`${protocol}//${host}`) && theirs === new URL(`${protocol}//${host}`).host
}
