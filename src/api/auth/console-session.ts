import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../db/connect.ts'
import { findSessionPrincipal, touchSession } from '../../db/queries/identity/session.ts'
import type { PersonPrincipal } from '../../domain/rights/principal.ts'
import { sha256 } from '../../signing.ts'
import { requireSameOrigin } from './same-origin.ts'

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
  const found = await findSessionPrincipal(db, tokenHash)
  if (!found) throw new ServiceError('invalid_credential', 'This session has ended. Sign in again.')
  requireSameOrigin(request, publicUrl)
  if (found.unseen) await touchSession(db, tokenHash)
  return found.principal
}
