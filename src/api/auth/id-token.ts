import type { FastifyRequest } from 'fastify'
import { createRemoteJWKSet, decodeProtectedHeader, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../db/connect.ts'
import { findSubjectByAddress } from '../../db/queries/subject/address.ts'
import type { RecipientPrincipal } from '../../domain/rights/principal.ts'
import { authorizationOf } from './authorization.ts'

/** The chat provider's sign-in, whose ID tokens authenticate recipients (docs/api/recipients.md). */
export type ChatLogin = {
  /** The login channel: the audience of its tokens. */
  channelId: string
  issuer: string
  /** Where the provider publishes the keys of its ES256 tokens. */
  jwksUrl: string
  /** The login channel's secret, which signs tokens of the web sign-in (HS256). Without it, they are rejected. */
  secret?: string | undefined
}

/** The timeout for fetching the provider's keys, and the shortest time between two fetches (ms). */
const keyTimes = { timeoutDuration: 3_000, cooldownDuration: 30_000 }

const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i

/**
 * Authenticates a recipient by the provider's ID token; with `mock`, also by the chat address in the header
 * x-mock-channel-user.
 */
export function recipientAuthenticator(
  db: Db,
  { login, mock }: { login?: ChatLogin | undefined; mock: boolean },
) {
  const verified = login && tokenReader(login)

  /**
   * @throws ServiceError unauthenticated, invalid_credential, not_bound; unavailable if the provider's keys cannot be
   *   fetched
   */
  return async (request: FastifyRequest): Promise<RecipientPrincipal> => {
    const { 'x-mock-channel-user': mocked } = request.headers
    const authorization = authorizationOf(request.headers)
    if (authorization !== undefined && verified) return recipientAt(db, await verified(authorization))
    if (authorization !== undefined) throw invalid('This installation accepts no ID tokens.')
    if (mock && typeof mocked === 'string' && mocked !== '') return recipientAt(db, mocked)
    throw new ServiceError(
      'unauthenticated',
      'Send an ID token of the chat provider: Authorization: Bearer <JWT>.',
    )
  }
}

/** Returns the chat address a token is for. Each algorithm has its own key, which prevents algorithm confusion. */
function tokenReader({ channelId, issuer, jwksUrl, secret }: ChatLogin) {
  const keys = createRemoteJWKSet(new URL(jwksUrl), keyTimes)
  const secretKey = secret === undefined ? undefined : new TextEncoder().encode(secret)
  const common = { issuer, audience: channelId, requiredClaims: ['sub', 'exp', 'iat'] }

  return async (authorization: string): Promise<string> => {
    const token = bearer.exec(authorization)?.[1]
    if (token === undefined) throw invalid('It does not have the form Bearer <JWT>.')
    const algorithm = algorithmOf(token)
    const key: JWTVerifyGetKey = algorithm === 'HS256' && secretKey ? async () => secretKey : keys
    const algorithms = [key === keys ? 'ES256' : 'HS256']
    const { payload } = await jwtVerify(token, key, { ...common, algorithms }).catch((error: unknown) => {
      throw refusal(error)
    })
    if (!payload.sub) throw invalid('Its subject is empty.')
    return payload.sub
  }
}

function algorithmOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).alg
  } catch {
    throw invalid('Its header is malformed.')
  }
}

/** An invalid token is the caller's error (401); keys that cannot be fetched are the provider's (503). */
function refusal(error: unknown): ServiceError {
  if (error instanceof errors.JWTExpired) return invalid('It has expired; sign in again.')
  const serverFaults: string[] = [errors.JWKSTimeout.code, errors.JOSEError.code, errors.JWKSInvalid.code]
  if (error instanceof errors.JOSEError && !serverFaults.includes(error.code))
    return invalid('Its signature, issuer, audience or time is invalid.')
  return new ServiceError('unavailable', 'The keys of the chat provider are unavailable. Try again later.')
}

async function recipientAt(db: Db, address: string): Promise<RecipientPrincipal> {
  const subjectId = await findSubjectByAddress(db, 'chat', address)
  if (subjectId !== undefined) return { kind: 'recipient', subjectId }
  throw new ServiceError('not_bound', 'This chat account is not bound to a subject. Bind its address first.')
}

function invalid(why: string): ServiceError {
  return new ServiceError('invalid_credential', `Invalid ID token. ${why}`)
}
