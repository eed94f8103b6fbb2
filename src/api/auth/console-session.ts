import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../db/connect.ts'
import { findSessionPrincipal } from '../../db/queries/session.ts'
import type { PersonPrincipal } from '../../domain/principal.ts'
import { sha256 } from '../../signing.ts'
import { requireSameOrigin } from './same-origin.ts'

/**
 * The person behind a `hub_session` cookie. The token is opaque and stored hashed, so a session can be ended on our side.
 * @throws ServiceError invalid_credential where it is unknown, over or ended; forbidden where another site sent it
 */
export async function sessionPrincipal(
  db: Db,
  request: FastifyRequest,
  token: string,
): Promise<PersonPrincipal> {
  const principal = await findSessionPrincipal(db, sha256(token))
  if (!principal) throw new ServiceError('invalid_credential', 'This session is over. Sign in again.')
  requireSameOrigin(request)
  return principal
}
