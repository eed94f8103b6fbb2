import type { ErrorCode } from './errors.ts'

/** What each code means, for the OpenAPI document. Responses carry a more specific message. */
export const errorMeanings: Record<ErrorCode, string> = {
  validation_error: 'The request is invalid; details.issues lists what and where.',
  idempotency_key_required: 'Send an Idempotency-Key header.',
  content_violation:
    'The content must be changed, or a channel cannot carry it; details.violations lists what and where.',
  missing_variable: 'A required variable of the template is missing; details.variables lists which.',
  audience_dimension_not_allowed:
    'The credential may not use this audience dimension; details.dimensions lists which.',
  dag_invalid: 'The graph of the scenario has problems; details.problems lists all of them, and where.',
  fixed_category: 'A mandatory category cannot be turned off.',
  topic_inactive: 'The topic is inactive; details.issues has the path.',
  remind_before_send: 'remindAt must be later than the send time; details.issues has the path.',
  remind_after_expiry: 'remindAt must be earlier than expiresAt; details.issues has the path.',
  unauthenticated: 'The credential is missing.',
  invalid_credential: 'The credential is malformed, unknown, revoked or expired.',
  not_bound: 'This chat address is not bound to a subject.',
  bad_signature: 'The signature does not match the body.',
  stale_timestamp: 'The timestamp is more than 300 seconds from the current time.',
  unknown_key: 'No signing key has this id.',
  forbidden: 'The caller is authenticated but may not do this.',
  unit_required: 'You belong to several units: pass unitId.',
  category_not_allowed: 'The credential may not use this category.',
  individual_targeting_disabled:
    "The credential may not use individual audiences, or small ones of the unit's own lists.",
  identity_api_forbidden: 'This operation requires a key of an administrative unit.',
  not_found: 'No such resource, or it belongs to another unit.',
  method_not_allowed: 'The path does not have this method; Allow lists those it has.',
  idempotency_mismatch: 'The Idempotency-Key was already used with a different body.',
  invalid_transition:
    'The current state does not allow this, or has changed; details contains the state and who set it.',
  quota_exceeded: 'The remaining quota of the month does not cover this.',
  self_approval:
    'An author may not approve: the caller wrote, edited or submitted this, or what it is made of, and no other person ' +
    'has approved that.',
  too_many_runs:
    'The unit has as many open runs as it may have; they end with their conversations, or by a call.',
  group_subset: 'Members of a group must also be members of its parent.',
  too_many_subjects:
    'An event or a start of runs may name at most 5,000 subjects, and a batch of events 50,000.',
  too_many_events: 'A batch may contain at most 100 events.',
  payload_too_large: 'The body is too large; the message states the limit.',
  rate_limited: 'Too many requests; retry after the number of seconds in Retry-After.',
  internal: 'Internal error. It has been logged under the X-Request-Id of this response.',
  provider: 'The provider rejected the request.',
  retryable: 'The provider is temporarily unavailable; try again.',
  not_configured: 'This installation lacks the channel or a required setting; its operator can configure it.',
  unavailable: 'Carillon is temporarily unavailable; retry after the number of seconds in Retry-After.',
}
