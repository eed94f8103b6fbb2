/**
 * How one try of a provider call, or of a mail to one recipient, ended. The adapter reports the facts; `settlement.ts`
 * decides what they mean for the rows. `code` is a short word for logs and metrics; no outcome contains the provider's
 * message.
 */
export type Outcome = {
  /** The provider's id of this request, for later inquiries. */
  requestId?: string
} & (
  | { kind: 'accepted' }
  /**
   * Definite: not delivered. `failed`: the addresses that the provider named as the reason (personal data). `unseen`: the
   * provider has refused the recipient before it saw what is sent.
   */
  | { kind: 'refused'; code: string; failed?: string[]; unseen?: true }
  /** Definite, concerns only this recipient, and can be retried later (greylisting, a full mailbox). */
  | { kind: 'deferred'; code: string; retryAfterMs?: number }
  /**
   * Definite: the server refuses the recipient, and is not believed (docs/design/provider-outcomes.md).
   */
  | { kind: 'doubted'; code: typeof doubtedCode }
  | ProviderFailure
)

/** The code of a batch whose recipients wait because their mail server refuses too many to be believed. */
export const doubtedCode = 'unknown_recipients'

/**
 * A failure of the provider or the account. It may still be caused by a recipient of the call: only when two different
 * calls or recipients have met it, it counts as general. `general`: no recipient was named yet, so none is the cause.
 */
export type ProviderFailure = { requestId?: string; general?: true } /** Definite: rate-limited. */ & (
  | { kind: 'throttled'; retryAfterMs?: number }
  /** Definite: a limit of the account is exhausted. `retryAfterMs`: until it is reset, where that is known. */
  | { kind: 'quota'; retryAfterMs?: number }
  /** Definite: the account, its permissions or the provider's URL are wrong; a person must act. */
  | { kind: 'misconfigured'; code: string }
  /** `certain`: the request did not reach the provider. Otherwise the provider may have accepted it. */
  | { kind: 'unavailable'; code: string; certain: boolean; retryAfterMs?: number }
)

/** The outcome of a try that was not started, because it was too late. */
export const abortedOutcome = {
  kind: 'unavailable',
  code: 'aborted',
  certain: true,
} as const satisfies ProviderFailure

const answers: readonly Outcome['kind'][] = ['accepted', 'refused', 'deferred', 'doubted']

/** Whether an outcome is reported as a failure of the provider or account, not of the recipients. */
export function isProviderFailure(outcome: Outcome): outcome is ProviderFailure {
  return !answers.includes(outcome.kind)
}

/** Whether the provider gave a verdict about a recipient, and so works. */
export function isAnswer(outcome: Outcome): boolean {
  return !isProviderFailure(outcome)
}

/** Whether the try was not started. */
export function isAborted(outcome: Outcome): boolean {
  return outcome.kind === 'unavailable' && outcome.code === 'aborted'
}

/** The code of an outcome that is not an acceptance. */
export function codeOf(outcome: Exclude<Outcome, { kind: 'accepted' }>): string {
  return 'code' in outcome ? outcome.code : outcome.kind
}
