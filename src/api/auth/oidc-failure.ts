import * as oidc from 'openid-client'
import { ServiceError } from '../../contract/errors.ts'

/** What the provider may say for a while (OpenID Connect Core 3.1.2.6, RFC 6749 4.1.2.1). */
const passing = ['temporarily_unavailable', 'server_error']
/** What it says when the person did not sign in. */
const declined = ['access_denied', 'login_required', 'interaction_required', 'consent_required']
const unreachable = ['OAUTH_TIMEOUT', 'OAUTH_ABORT']
const leastServerError = 500

/**
 * What went wrong at the identity provider, as an error of ours: `retryable` where it does not answer, `provider`
 * where it refuses us, `invalid_credential` where this attempt does not lead to a person. The reason is a word of the
 * protocol, never what stood in a token.
 */
export function asServiceError(error: unknown): never {
  if (error instanceof ServiceError) throw error
  throw new ServiceError(...meaning(error))
}

function meaning(error: unknown): ConstructorParameters<typeof ServiceError> {
  const { code, status, error: word } = error as { code?: string; status?: number; error?: string }
  if (word !== undefined && declined.includes(word))
    return ['invalid_credential', 'You did not sign in at the identity provider. Sign in once more.']
  if (isDown(error, code, status, word))
    return ['retryable', 'The identity provider does not answer now. Try again in a moment.']
  if (error instanceof oidc.ResponseBodyError && word !== 'invalid_grant')
    return [
      'provider',
      `The identity provider refuses this installation (${word}). Its settings may be wrong.`,
    ]
  if (error instanceof oidc.AuthorizationResponseError)
    return ['provider', `The identity provider refuses this sign-in (${word}). Its settings may be wrong.`]
  const details = { reason: code ?? 'unknown' }
  return [
    'invalid_credential',
    'This sign-in cannot be trusted, so it is refused. Sign in once more.',
    details,
  ]
}

function isDown(error: unknown, code?: string, status?: number, word?: string): boolean {
  if (word !== undefined && passing.includes(word)) return true
  if (code !== undefined && unreachable.includes(code)) return true
  if (isNoConnection(error)) return true
  const answered = status ?? (error instanceof oidc.ClientError ? statusIn(error.cause) : undefined)
  return answered !== undefined && answered >= leastServerError
}

/** What `fetch` throws when nobody answers; other TypeErrors carry a code. */
function isNoConnection(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed'
}

function statusIn(cause: unknown): number | undefined {
  return cause instanceof Response ? cause.status : undefined
}
