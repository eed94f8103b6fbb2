/** Every error code with its HTTP status (docs/api/errors.md). */
export const errorStatus = {
  validation_error: 400,
  idempotency_key_required: 400,
  content_violation: 400,
  missing_variable: 400,
  audience_dimension_not_allowed: 400,
  dag_invalid: 400,
  fixed_category: 400,
  topic_inactive: 400,
  remind_before_send: 400,
  remind_after_expiry: 400,
  unauthenticated: 401,
  invalid_credential: 401,
  not_bound: 401,
  bad_signature: 401,
  stale_timestamp: 401,
  unknown_key: 401,
  forbidden: 403,
  unit_required: 403,
  category_not_allowed: 403,
  individual_targeting_disabled: 403,
  identity_api_forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_mismatch: 409,
  invalid_transition: 409,
  quota_exceeded: 409,
  self_approval: 409,
  group_subset: 409,
  too_many_runs: 409,
  too_many_subjects: 413,
  too_many_events: 413,
  payload_too_large: 413,
  rate_limited: 429,
  internal: 500,
  provider: 502,
  retryable: 503,
  not_configured: 503,
  unavailable: 503,
} as const
export type ErrorCode = keyof typeof errorStatus

/**
 * The error that services throw to reject a request. The message tells the caller what to do next; `details` are for
 * programs and never hold other people's data. One handler in api turns it into a response.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly details?: unknown

  constructor(code: ErrorCode, message: string, details?: unknown) {
    super(message)
    this.name = 'ServiceError'
    this.code = code
    this.details = details
  }

  get status(): number {
    return errorStatus[this.code]
  }
}

/** An error that ends by itself. `afterMs`: when the same call may succeed. */
export class RetryLater extends ServiceError {
  readonly afterMs: number

  constructor(code: Extract<ErrorCode, 'rate_limited' | 'unavailable'>, message: string, afterMs: number) {
    super(code, message)
    this.afterMs = afterMs
  }
}
