import type { ErrorBody } from './types.ts'

/**
 * What every method throws when the answer is no success. `code` is one of the service's codes; or `timeout`,
 * `unreachable` or `unexpected_answer` where the service itself did not say anything, with the status 0 where nothing
 * was answered at all.
 */
export class CarillonError extends Error {
  readonly code: string
  readonly status: number
  readonly details: unknown
  /** Names this request in the service's log. */
  readonly requestId: string | null
  /** Seconds after which it is worth trying again; null where the service did not say. */
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

/** The error that an answer stands for. */
export function errorOf(response: Response, body: unknown): CarillonError {
  const { status, headers } = response
  if (isErrorBody(body)) return new CarillonError(body.error.message, { ...body.error, status, headers })
  const message = `The service answered ${status} in a form that is not its own. Is baseUrl right?`
  return new CarillonError(message, { code: 'unexpected_answer', status, headers })
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false
  const { error } = body
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
}
