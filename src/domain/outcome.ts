/**
 * How one try of one provider call ended (design 3, Outcomes). The adapter tells what is true; `judge` says what it means
 * for the rows. `code` is a small word fit for logs and metrics; no outcome carries the provider's prose.
 */
export type Outcome = {
  /** The provider's name for this request, for asking it later. */
  requestId?: string
} & (
  | { kind: 'accepted' }
  /** Definite: nobody received it. `failed` are the addresses that the provider named as the reason (personal data). */
  | { kind: 'refused'; code: string; failed?: string[] }
  /** Definite: too fast. */
  | { kind: 'throttled'; retryAfterMs?: number }
  /** Definite: the account's monthly number is used up. */
  | { kind: 'quota' }
  /** `certain`: it did not reach the provider. Otherwise the provider may have accepted it. */
  | { kind: 'unavailable'; code: string; certain: boolean; retryAfterMs?: number }
  /** Definite: the account, its rights or the address of the provider are wrong; a person must act. */
  | { kind: 'misconfigured'; status: number }
)

/** What was known of a call before the try that is judged. `unclear`: an earlier try may have been accepted. */
export type Tried = { recipients: number; unclear: boolean; tries: number }

/** What a try means for its call and members. Times are ms from now. */
export type Verdict =
  | { do: 'accept' }
  /** These addresses fail; whoever is left is tried again with a new key. */
  | { do: 'fail'; failed: string[]; code: string }
  /** The only member fails. */
  | { do: 'failAll'; code: string }
  /** The provider refuses and names nobody: two halves, each with a new key. */
  | { do: 'halve'; code: string }
  | Again

/** Not settled: tried again after `afterMs`, with the stored key and members where it is `unclear`. */
export type Again = {
  do: 'again'
  code: string
  unclear: boolean
  afterMs: number
  /** The provider asked the whole channel to rest this long. */
  restMs: number | null
  /** What keeps the wave from going on: `down` may pass, the others park it at once. */
  trouble: 'down' | 'provider' | 'provider_quota' | null
}

/** How long a stored retry key makes a repeat harmless: 24 h (channels.md), less a minute for the repeat's own way. */
const retryKeyLifeMs = 24 * 3_600_000 - 60_000

const firstDelayMs = 200
const longestDelayMs = 5_000
const throttledDelayMs = 1_000

/**
 * What the outcome of a try means (design 3, Outcomes). Accepted and refused end a call, even an unclear one: with the
 * same key a refusal says that no earlier try went through. Anything else leaves key and members as they are once one
 * try was unclear, and otherwise is as if it had never been made. `random` in [0, 1) spreads the delays.
 */
export function judge(outcome: Outcome, call: Tried, random: number): Verdict {
  const again = (code: string, more: Partial<Again> = {}): Again => ({
    do: 'again',
    code,
    unclear: call.unclear,
    afterMs: delayMs(call.tries, random),
    restMs: null,
    trouble: null,
    ...more,
  })
  switch (outcome.kind) {
    case 'accepted':
      return { do: 'accept' }
    case 'refused':
      return refusal(outcome, call)
    case 'throttled': {
      const restMs = outcome.retryAfterMs ?? throttledDelayMs + delayMs(call.tries, random)
      return again('throttled', { afterMs: restMs, restMs })
    }
    case 'quota':
      return again('quota', { trouble: 'provider_quota' })
    case 'misconfigured':
      return again(`http_${outcome.status}`, { trouble: 'provider' })
    case 'unavailable': {
      const restMs = outcome.retryAfterMs ?? null
      const afterMs = Math.max(restMs ?? 0, delayMs(call.tries, random))
      const unclear = call.unclear || !outcome.certain
      return again(outcome.code, { unclear, afterMs, restMs, trouble: 'down' })
    }
  }
}

function refusal({ code, failed = [] }: { code: string; failed?: string[] }, { recipients }: Tried): Verdict {
  if (failed.length > 0) return { do: 'fail', failed, code }
  return recipients === 1 ? { do: 'failAll', code } : { do: 'halve', code }
}

/** Exponential back-off with jitter: between half and all of 200 ms × 2^tries, and of `longest` at most. */
export function delayMs(tries: number, random: number, longest = longestDelayMs): number {
  const full = Math.min(longest, firstDelayMs * 2 ** Math.min(tries, 20))
  return Math.round(full * (0.5 + random / 2))
}

/** May an unclear call still be repeated under its key, so long (ms) after its first try? */
export function isRepeatable(ageMs: number): boolean {
  return ageMs < retryKeyLifeMs
}
