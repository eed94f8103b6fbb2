import type { FastifyRequest } from 'fastify'
import type { Door } from '../../contract/endpoint.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../db/connect.ts'
import type { Principal } from '../../domain/principal.ts'
import { sessionPrincipal } from './console-session.ts'
import { producerPrincipal } from './producer-key.ts'

/**
 * Who is calling. An Authorization header is taken at its word before a cookie is looked at.
 * @throws ServiceError unauthenticated, invalid_credential; forbidden where the credential is good but of a kind that
 * may not do this
 */
export async function authenticate(
  db: Db,
  request: FastifyRequest,
  doors: readonly Door[],
): Promise<Principal> {
  const { authorization } = request.headers
  const token = request.cookies.hub_session
  if (authorization === undefined && token === undefined)
    throw new ServiceError(
      'unauthenticated',
      'Say who you are: send Authorization: Bearer hub_… with a producer key, or sign in to the console.',
    )
  const principal =
    authorization === undefined
      ? await sessionPrincipal(db, request, token ?? '')
      : await producerPrincipal(db, authorization)
  if (!doors.includes(principal.kind === 'producer' ? 'producer' : 'session'))
    throw new ServiceError('forbidden', refusals[principal.kind])
  return principal
}

const refusals = {
  producer: 'A producer key may not do this. A person does it, signed in to the console.',
  person: 'Only a producer key may do this.',
}
