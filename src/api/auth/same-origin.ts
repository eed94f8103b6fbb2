import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'

const reads = ['GET', 'HEAD', 'OPTIONS']

/**
 * A browser sends cookies along with what other sites make it do; it also says where a request comes from, in
 * Sec-Fetch-Site and Origin. What changes something must come from our own pages: from `publicUrl`, or from the host that
 * was asked. Programs such as curl send neither header, and no other site can make them.
 * @throws ServiceError forbidden
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  if (reads.includes(request.method)) return
  const { origin, 'sec-fetch-site': site } = request.headers
  const elsewhere = site !== undefined && site !== 'same-origin'
  const foreign = origin !== undefined && !isOurs(origin, request.host, publicUrl)
  if (elsewhere || foreign)
    throw new ServiceError('forbidden', 'This request comes from another site. Use the console itself.')
}

/**
 * `null`, which sandboxed pages send, is nobody's. Behind a proxy the host that was asked may be an inner name; the
 * public one is ours in any case, but then only with its own scheme: a page without TLS in its name may be anybody's.
 */
function isOurs(origin: string, host: string, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false
  const from = new URL(origin)
  const ours = publicUrl === undefined ? undefined : new URL(publicUrl)
  if (from.host === ours?.host) return from.origin === ours.origin
  // A port that goes without saying may be said by one of the two.
  return URL.canParse(`${from.protocol}//${host}`) && from.host === new URL(`${from.protocol}//${host}`).host
}
