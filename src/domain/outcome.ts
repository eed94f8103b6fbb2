/**
 * How one try ended: of a provider call, or of a mail to one recipient. The adapter tells what is true; `settlement.ts`
 * says what it means for the rows. `code` is a small word fit for logs and metrics; no outcome carries the provider's
 * prose.
 */
export type Outcome = {
  /** The provider's name for this request, for asking it later. */
  requestId?: string
} & (
  | { kind: 'accepted' }
  /** Definite: nobody received it. `failed` are the addresses that the provider named as the reason (personal data). */
  | { kind: 'refused'; code: string; failed?: string[] }
  /** Definite, about this recipient alone, and worth another try later (greylisting, a full mailbox). */
  | { kind: 'deferred'; code: string; retryAfterMs?: number }
  | ProviderFailure
)

/**
 * What a provider says of itself or of our account. It may still be about a recipient of the call: what is said of the
 * whole is believed when two different ones have met it. `general`: nobody was named yet, so it is about no recipient.
 */
export type ProviderFailure = { requestId?: string; general?: true } /** Definite: too fast. */ & (
  | { kind: 'throttled'; retryAfterMs?: number }
  /** Definite: the account's monthly number is used up. */
  | { kind: 'quota' }
  /** Definite: the account, its rights or the address of the provider are wrong; a person must act. */
  | { kind: 'misconfigured'; code: string }
  /** `certain`: it did not reach the provider. Otherwise the provider may have accepted it. */
  | { kind: 'unavailable'; code: string; certain: boolean; retryAfterMs?: number }
)

/** What was not begun, because it was too late. */
export const abortedOutcome = {
  kind: 'unavailable',
  code: 'aborted',
  certain: true,
} as const satisfies ProviderFailure

/** An outcome that is not about the recipients, as far as it says. */
export function isProviderFailure(outcome: Outcome): outcome is ProviderFailure {
  return outcome.kind !== 'accepted' && outcome.kind !== 'refused' && outcome.kind !== 'deferred'
}

/** The provider works: it said something about a recipient. */
export function isAnswer(outcome: Outcome): boolean {
  return !isProviderFailure(outcome)
}

/** Nothing was tried. */
export function isAborted(outcome: Outcome): boolean {
  return outcome.kind === 'unavailable' && outcome.code === 'aborted'
}

/** The word for an outcome that settles nothing. */
export function codeOf(outcome: Exclude<Outcome, { kind: 'accepted' }>): string {
  return 'code' in outcome ? outcome.code : outcome.kind
}
