import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../db/connect.ts'
import { findSessionPrincipal, touchSession } from '../../db/queries/identity/session.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import { sha256 } from '../../signing.ts'

/**
 * The person behind a `hub_session` cookie. The token is opaque and stored hashed, so the server can end a session.
 * `publicUrl`: the public address of this installation.
 * @throws ServiceError invalid_credential if the session is unknown, expired or ended; forbidden if another site sent
 *   the request
 */
export async function sessionPrincipal(
  db: Db,
  request: FastifyRequest,
  token: string,
  publicUrl: string | undefined,
): Promise<PersonPrincipal> {
  const tokenHash = sha256(token)
  const session = await findSessionPrincipal(db, tokenHash)
  if (!session) throw new ServiceError('invalid_credential', 'This session has ended. Sign in again.')
  requireSameOrigin(request, publicUrl)
  if (session.unseen) await touchSession(db, tokenHash)
  return session.principal
}

const reads = ['GET', 'HEAD', 'OPTIONS']

/**
 * Rejects cross-site requests that make changes. A browser sends cookies with requests that other sites trigger, and
 * names the source in Sec-Fetch-Site and Origin: it must be `publicUrl` or the requested host. Programs such as curl
 * send neither header, and no other site can make them send a request.
 * @throws ServiceError forbidden
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  if (reads.includes(request.method)) return
  const { origin, 'sec-fetch-site': site } = request.headers
  const crossSite = site !== undefined && site !== 'same-origin'
  const foreign = origin !== undefined && !isOurs(origin, request.host, publicUrl)
  if (crossSite || foreign)
    throw new ServiceError('forbidden', 'This request comes from another site. Repeat it in the console.')
}

/**
 * `null`, the origin of sandboxed pages, is foreign. Behind a proxy the requested host may be an internal name, so the
 * public host counts too, but only with its own scheme: anyone can serve a page under its name without TLS.
 */
function isOurs(origin: string, host: string, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false
  const from = new URL(origin)
  const ownUrl = publicUrl === undefined ? undefined : new URL(publicUrl)
  if (from.host === ownUrl?.host) return from.origin === ownUrl.origin
  // One of the two may spell out the default port.
  return URL.canParse(`${from.protocol}//${host}`) && from.host === new URL(`${from.protocol}//${host}`).host
}
