import type { ErrorBody } from './types.ts'

/** What the service says of each failure: its code, and the details of that code. */
type ServiceError = ErrorBody['error']

/**
 * Why a call failed: an error code of the service, or one of the library: `timeout` and `unreachable` without an answer,
 * `unexpected_answer` of something else than the service, `wrong_target` and `not_a_lookup` of `verifyLookup`. A newer
 * service may have more.
 */
export type ErrorCode =
  | ServiceError['code']
  | 'timeout'
  | 'unreachable'
  | 'unexpected_answer'
  | 'wrong_target'
  | 'not_a_lookup'
  | (string & {})

/**
 * Thrown by every method that does not succeed. It never holds a key, a session or a secret.
 *
 * @example
 * try {
 *   await carillon.messages.submit(id)
 * } catch (error) {
 *   if (!(error instanceof CarillonError)) throw error
 *   if (error.is('content_violation')) console.log(error.details.violations)
 *   else console.log(error.code, error.message, error.requestId)
 * }
 */
export class CarillonError extends Error {
  /** Branch on it. */
  readonly code: ErrorCode
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** More about the error, by its code: `is` knows the type. */
  readonly details: unknown
  /** Identifies this request in the service's log; null without a response. */
  readonly requestId: string | null
  /** Seconds to wait before a retry; null if the service did not specify it. */
  readonly retryAfter: number | null

  constructor(
    message: string,
    facts: {
      code: ErrorCode
      status: number
      details?: unknown
      headers?: Headers | undefined
      cause?: unknown
    },
  ) {
    super(message, { cause: facts.cause })
    this.name = 'CarillonError'
    this.code = facts.code
    this.status = facts.status
    this.details = facts.details
    this.requestId = facts.headers?.get('x-request-id') ?? null
    this.retryAfter = secondsIn(facts.headers?.get('retry-after') ?? '')
  }

  /** Whether the service answered with this code; `details` then has its type. */
  is<Code extends ServiceError['code']>(
    code: Code,
  ): this is CarillonError & Extract<ServiceError, { code: Code }> {
    return this.code === code
  }
}

/** Retry-After as seconds, which the service writes, or as a date, which a gateway may write (RFC 9110, 10.2.3). */
function secondsIn(retryAfter: string): number | null {
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter)
  const at = / GMT$/.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1_000))
}

/** The error of an unsuccessful response. */
export function errorOf(response: Response, body: unknown): CarillonError {
  const { status, headers } = response
  if (isErrorBody(body)) return new CarillonError(body.error.message, { ...body.error, status, headers })
  const message = `Unexpected response with status ${status}, not in the service's format. Check baseUrl.`
  return new CarillonError(message, { code: 'unexpected_answer', status, headers })
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false
  const { error } = body
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
}
