import type { ErrorBody } from './types.ts'

/**
 * Thrown by every method that does not succeed. `code` is an error code of the service, or `timeout`, `unreachable` or
 * `unexpected_answer` if the service itself did not respond. `status` is 0 without a response.
 */
export class CarillonError extends Error {
  readonly code: string
  readonly status: number
  readonly details: unknown
  /** Identifies this request in the service's log. */
  readonly requestId: string | null
  /** Seconds to wait before a retry; null if the service did not specify it. */
  readonly retryAfter: number | null

  constructor(
    message: string,
    facts: { code: string; status: number; details?: unknown; headers?: Headers; cause?: unknown },
  ) {
    super(message, { cause: facts.cause })
    this.name = 'CarillonError'
    this.code = facts.code
    this.status = facts.status
    this.details = facts.details
    this.requestId = facts.headers?.get('x-request-id') ?? null
    const seconds = facts.headers?.get('retry-after') ?? ''
    this.retryAfter = /^\d+$/.test(seconds) ? Number(seconds) : null // a gateway may write a date
  }
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
