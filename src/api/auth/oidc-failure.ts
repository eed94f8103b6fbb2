import * as oidc from 'openid-client'
import type { IntegrationState } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'

/** What the provider answers to wrong credentials of this installation (RFC 6749, 5.2). */
const rejectedClient = ['invalid_client', 'unauthorized_client']
/** Temporary errors of the provider (OpenID Connect Core 3.1.2.6, RFC 6749 4.1.2.1). */
const temporaryErrors = ['temporarily_unavailable', 'server_error']
/** The provider's errors when the person did not sign in. */
const declined = ['access_denied', 'login_required', 'interaction_required', 'consent_required']
const unreachable = ['OAUTH_TIMEOUT', 'OAUTH_ABORT']
const leastServerError = 500

/**
 * Translates an error of the identity provider: `retryable` if it does not respond, `provider` if it rejects this
 * installation, `invalid_credential` if the attempt identifies no person. The reason is an error code of the protocol,
 * never the contents of a token.
 */
export function asServiceError(error: unknown): never {
  if (error instanceof ServiceError) throw error
  throw new ServiceError(...meaning(error))
}

/** Whether the provider rejected the credentials of this installation. */
export function isRejectedClient(error: unknown): boolean {
  return error instanceof oidc.ResponseBodyError && rejectedClient.includes(error.error)
}

/**
 * What a failure to read the provider's metadata tells of the settings: a provider that does not answer may be down; one
 * that answers something else is not the one that is meant.
 */
export function stateAfter(error: unknown): IntegrationState {
  return meaning(error)[0] === 'retryable' ? 'unavailable' : 'misconfigured'
}

function meaning(error: unknown): ConstructorParameters<typeof ServiceError> {
  const { code, status, error: word } = error as { code?: string; status?: number; error?: string }
  if (word !== undefined && declined.includes(word))
    return ['invalid_credential', 'You did not sign in at the identity provider. Sign in again.']
  if (isDown(error, code, status, word))
    return ['retryable', 'The identity provider does not respond. Try again in a moment.']
  if (error instanceof oidc.ResponseBodyError && word !== 'invalid_grant')
    return [
      'provider',
      `The identity provider rejected this installation (${word}). Ask its operator to check the OIDC settings.`,
    ]
  if (error instanceof oidc.AuthorizationResponseError)
    return [
      'provider',
      `The identity provider rejected this sign-in (${word}). Ask the operator to check the OIDC settings.`,
    ]
  const details = { reason: code ?? 'unknown' }
  return ['invalid_credential', 'This sign-in could not be verified. Sign in again.', details]
}

function isDown(error: unknown, code?: string, status?: number, word?: string): boolean {
  if (word !== undefined && temporaryErrors.includes(word)) return true
  if (code !== undefined && unreachable.includes(code)) return true
  if (isNoConnection(error)) return true
  const answered = status ?? (error instanceof oidc.ClientError ? statusIn(error.cause) : undefined)
  return answered !== undefined && answered >= leastServerError
}

/** What `fetch` throws without a connection; other TypeErrors carry a code. */
function isNoConnection(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed'
}

function statusIn(cause: unknown): number | undefined {
  return cause instanceof Response ? cause.status : undefined
}
