import type { DeliveryState, WaveProblem } from '../../contract/enums.ts'
import { backOffMs } from '../lib/back-off.ts'
import {
  codeOf,
  isAborted,
  isAnswer,
  isProviderFailure,
  type Outcome,
  type ProviderFailure,
} from './outcome.ts'

/** The outcome that a try settles for one recipient. */
export type MemberOutcome = { state: Exclude<DeliveryState, 'pending' | 'skipped'>; reason: string | null }

/** What one try of a batch means: the outcomes of its members, and the next action for those without one. */
export type Settlement = {
  /** The provider gave a verdict about a recipient, so it works. */
  answered: boolean
  /** One outcome for all, or one per recipient in the order of the call; null: still pending. */
  outcomes: MemberOutcome | (MemberOutcome | null)[]
  next: NextAction
  /**
   * Why the wave is parked. `gate`: the whole wave waits for probes; otherwise only this batch waits. `putOffMs`: every
   * batch of the channel waits this long, because a limit of the account holds until then.
   */
  park: { problem: WaveProblem; gate: boolean; putOffMs?: number } | null
  /** How long the whole channel rests, ms. */
  restMs: number | null
}

/** The next action for the pending members. */
type NextAction =
  /** None is pending. */
  | { do: 'end' }
  /** Call them at once, under a new key. */
  | { do: 'call' }
  /** Halve the batch; both halves are free at once. */
  | { do: 'halve' }
  | DeferAction

/**
 * Retry them after `afterMs`, except the `untried` (by their places in the call), which are free at once. `unclear`:
 * the call may have been accepted, so its key and members are kept.
 */
export type DeferAction = { do: 'wait'; afterMs: number; code: string; unclear: boolean; untried: number[] }

/** What is known about a batch when a try of it is classified. */
export type TrySituation = {
  /** The addresses of the call, which are personal data. */
  to: string[]
  /** How often the batch was deferred, and for how long so far (ms). */
  tries: number
  failingMs: number
  /** An earlier try under the same key may have been accepted. */
  unclear: boolean
  /** Other calls on the channel have succeeded since it was first deferred. */
  othersSucceed: boolean
  /** Two different calls or recipients have failed since the last success: no single one is the cause. */
  general: boolean
  /** The failure has lasted long enough to park the wave. */
  persistent: boolean
  /** The whole wave is parked, and this try was its probe. */
  probing: boolean
}

/** A batch that was deferred this often, for this long (ms), shows as parked, even if others succeed. */
export const stuckAfter = { tries: 5, ms: 60_000 }

/** The mail server is asked again by its own probes; the other channels of the wave continue. */
const parkedByDoubt = { problem: 'unknown_recipients', gate: false } as const
/** A recipient deferred alone for this long fails: a wave should end on the day it started. */
const maxDeferralMs = 4 * 3_600_000
/** The longest rest of a channel; the provider's next response may ask for another. */
const longestRestMs = 300_000
/** A mailbox may ask for a longer one: no other recipient waits for it. */
const maxRecipientDelayMs = 3_600_000
const throttledDelayMs = 1_000
/** The longest waits of a batch: while a failure is recent (`soon`), and once it has lasted (`later`). */
const longestDelayMs = { soon: 5_000, later: 60_000 }
/**
 * Waits of one recipient; greylisting usually asks for one to five minutes, and remembers a sender for over an hour.
 */
const recipientBackOff = { firstMs: 5_000, longestMs: 15 * 60_000 }
/** After this many tries a temporary failure halves the batch; a definite one does at the second try. */
const triesBeforeHalving = 5

/**
 * Judges the outcome of a call that reaches all or none. Acceptance and refusal end it, even an unclear one: under the
 * same key, a refusal means that no earlier try was accepted. `random` in [0, 1) spreads the delays.
 */
export function classifyCall(outcome: Outcome, situation: TrySituation, random: number): Settlement {
  const { to, tries, failingMs, unclear: before } = situation
  switch (outcome.kind) {
    case 'accepted':
      return settled({ state: 'sent', reason: null }, { do: 'end' })
    case 'refused':
      return refusal(outcome, to)
    case 'deferred':
      return settled(
        noneSettled(to),
        waiting(outcome.code, recipientDelayMs(outcome, tries), { unclear: before }),
      )
    case 'doubted':
      return {
        ...settled(noneSettled(to), waiting(outcome.code, 0, { unclear: before })),
        park: parkedByDoubt,
      }
  }
  const code = codeOf(outcome)
  const unclear = before || isUnclear(outcome)
  const memberOnly = situation.othersSucceed && !outcome.general
  const park = parking(outcome, situation, memberOnly)
  if (!unclear && to.length > 1 && isToBeHalved(outcome, situation, memberOnly))
    return { ...unsettled(noneSettled(to), { do: 'halve' }), park }
  if (!unclear && memberOnly && to.length === 1 && hasFailedForGood(outcome, situation))
    return unsettled({ state: 'failed', reason: code }, { do: 'end' })
  const restMs = memberOnly ? null : restOf(outcome, tries, random)
  const afterMs =
    memberOnly && !unclear
      ? Math.min(recipientDelayMs(outcome, tries), to.length > 1 ? longestRestMs : maxRecipientDelayMs)
      : Math.max(restMs ?? 0, untilResetMs(outcome), backOffMs(tries, random, longestWait(failingMs)))
  return { ...unsettled(noneSettled(to), waiting(code, afterMs, { unclear })), park, restMs }
}

/**
 * Judges a call with one outcome per recipient, in order. Without a retry key, a mail that the server may have accepted
 * cannot be retried without the risk of sending it twice. `repeats`: an earlier try may have arrived, so only an
 * acceptance settles anything.
 */
export function classifyRecipients(
  results: Outcome[],
  situation: TrySituation,
  random: number,
  { repeats = false } = {},
): Settlement {
  const { tries, failingMs, general } = situation
  const answered = results.some(isAnswer)
  const othersPass = situation.othersSucceed || answered
  const failures = results.filter(
    (outcome) => isProviderFailure(outcome) && !isAborted(outcome) && !isUnclear(outcome),
  )
  const channelFailure = failures.find(
    (one): one is ProviderFailure => isProviderFailure(one) && (one.general === true || !othersPass),
  )
  const outcomes = results.map((outcome) => {
    const memberOutcome = memberOutcomeOf(outcome, { ...situation, othersSucceed: othersPass })
    return repeats ? repeatOutcomeOf(memberOutcome) : memberOutcome
  })
  const left = results.flatMap((outcome, index) => (outcomes[index] === null ? [{ outcome, index }] : []))
  if (left.length === 0) return { answered, outcomes, next: { do: 'end' }, park: null, restMs: null }
  const doubted = left.some(({ outcome }) => outcome.kind === 'doubted')
  // While the server is doubted, what a probe left untried stays in its batch: nothing of it may be sent before the rest.
  const staysWhole = doubted && left.length === results.length
  const untried = staysWhole ? [] : left.flatMap(({ outcome, index }) => (isAborted(outcome) ? [index] : []))
  if (channelFailure) {
    const isGeneral = general || channelFailure.general === true
    const restMs = isGeneral ? restOf(channelFailure, tries, random) : null
    const afterMs = Math.max(
      restMs ?? 0,
      askedMs(channelFailure),
      backOffMs(tries, random, longestWait(failingMs)),
    )
    const next = waiting(codeOf(channelFailure), afterMs, { untried: isGeneral ? [] : untried })
    const probing = situation.probing && !answered
    return {
      answered,
      outcomes,
      next,
      park: parking(channelFailure, { ...situation, probing }, false) ?? (doubted ? parkedByDoubt : null),
      restMs,
    }
  }
  const deferred = left.flatMap(({ outcome }) => (isAborted(outcome) ? [] : [outcome]))
  const delays = deferred.map((outcome) =>
    outcome.kind === 'doubted' ? 0 : recipientDelayMs(outcome, tries),
  )
  const afterMs = Math.max(0, ...delays)
  const first = deferred.find(({ kind }) => kind === 'doubted') ?? deferred[0]
  const code = first && first.kind !== 'accepted' ? codeOf(first) : 'aborted'
  const stuck = first && isProviderFailure(first) ? parking(first, situation, true) : null
  const park = doubted ? parkedByDoubt : stuck
  return { answered, outcomes, next: waiting(code, afterMs, { untried }), park, restMs: null }
}

/** How long a retry key makes a repeated call safe: the provider keeps it for 24 h, less a minute for transit. */
const retryKeyLifeMs = 24 * 3_600_000 - 60_000

/** Whether an unclear call can still be repeated under its key, `ageMs` after its first try. */
export function isRepeatable(ageMs: number): boolean {
  return ageMs < retryKeyLifeMs
}

function refusal({ code, failed = [] }: { code: string; failed?: string[] }, to: string[]): Settlement {
  const memberOutcome = { state: 'failed', reason: code } as const
  const left = to.filter((address) => !failed.includes(address))
  if (left.length === 0 || to.length === 1) return settled(memberOutcome, { do: 'end' })
  if (failed.length === 0) return settled(noneSettled(to), { do: 'halve' })
  return settled(
    to.map((address) => (left.includes(address) ? null : memberOutcome)),
    { do: 'call' },
  )
}

/** What an outcome means for its recipient; null: still pending. */
function memberOutcomeOf(outcome: Outcome, situation: TrySituation): MemberOutcome | null {
  switch (outcome.kind) {
    case 'accepted':
      return { state: 'sent', reason: null }
    case 'refused':
      return { state: 'failed', reason: outcome.code }
    case 'deferred':
      return situation.failingMs < maxDeferralMs ? null : { state: 'failed', reason: outcome.code }
    case 'doubted':
      return null
  }
  if (isUnclear(outcome)) return { state: 'unknown', reason: codeOf(outcome) }
  if (
    isAborted(outcome) ||
    outcome.general ||
    !situation.othersSucceed ||
    !hasFailedForGood(outcome, situation)
  )
    return null
  return { state: 'failed', reason: codeOf(outcome) }
}

/** The same for repeated mail, which may have arrived before, whatever the outcome is now. */
function repeatOutcomeOf(memberOutcome: MemberOutcome | null): MemberOutcome | null {
  if (memberOutcome === null) return null
  return memberOutcome.state === 'sent'
    ? { state: 'sent', reason: 'repeated' }
    : { ...memberOutcome, state: 'unknown' }
}

/**
 * Whether a failure of one recipient has lasted long enough to be final. A limit of the account is not the recipient's,
 * unless only this one meets it.
 */
function hasFailedForGood(failure: ProviderFailure, { tries, failingMs, to }: TrySituation): boolean {
  if (failure.kind === 'quota' && to.length > 1) return false
  return isDefinite(failure) ? tries >= 1 : failingMs >= maxDeferralMs
}

/** How long the provider asks to wait: until a limit of the account is reset, or for a rest. */
function askedMs(failure: ProviderFailure): number {
  if (failure.kind === 'quota') return untilResetMs(failure)
  return Math.min('retryAfterMs' in failure ? (failure.retryAfterMs ?? 0) : 0, longestRestMs)
}

/** How long a limit of the account holds, where that is known. */
function untilResetMs(failure: ProviderFailure): number {
  return failure.kind === 'quota' ? (failure.retryAfterMs ?? 0) : 0
}

/** Whether the requested wait is so long that five tries would delay the other members of the batch too much. */
function asksForLong(failure: ProviderFailure): boolean {
  return 'retryAfterMs' in failure && (failure.retryAfterMs ?? 0) > longestDelayMs.later
}

function isDefinite({ kind }: ProviderFailure): boolean {
  return kind === 'misconfigured'
}

function isUnclear(outcome: Outcome): boolean {
  return outcome.kind === 'unavailable' && !outcome.certain
}

/**
 * If other calls succeed, a recipient of this batch causes the failure. If none does, a batch that has failed often is
 * halved nevertheless, one at a time: with few batches, each may contain such a recipient.
 */
function isToBeHalved(failure: ProviderFailure, situation: TrySituation, memberOnly: boolean): boolean {
  const { tries, failingMs, probing, general } = situation
  if (memberOnly) return tries >= (isDefinite(failure) || asksForLong(failure) ? 1 : triesBeforeHalving)
  return (
    !failure.general && tries >= stuckAfter.tries && (probing || (!general && failingMs >= stuckAfter.ms))
  )
}

/**
 * A failure that a person must fix parks the wave as soon as it is general, a temporary one after a minute. A failed
 * probe leaves the wave parked. A batch that keeps failing shows the wave as parked while the others continue.
 */
function parking(failure: ProviderFailure, situation: TrySituation, memberOnly: boolean): Settlement['park'] {
  if (isAborted(failure)) return null
  const problem = failure.kind === 'quota' ? 'provider_quota' : 'provider'
  const isGeneral = situation.general || failure.general === true
  const atOnce = failure.kind === 'misconfigured' || failure.kind === 'quota'
  if (!memberOnly && (situation.probing || (isGeneral && (atOnce || situation.persistent)))) {
    const putOffMs = failure.kind === 'quota' ? failure.retryAfterMs : undefined
    return putOffMs === undefined ? { problem, gate: true } : { problem, gate: false, putOffMs }
  }
  return isStuck(situation.tries + 1, situation.failingMs) ? { problem, gate: false } : null
}

/** Whether such a batch shows its wave as parked. */
function isStuck(tries: number, failingMs: number): boolean {
  return tries >= stuckAfter.tries && failingMs >= stuckAfter.ms
}

function restOf(failure: ProviderFailure, tries: number, random: number): number | null {
  switch (failure.kind) {
    case 'throttled': {
      const ms = failure.retryAfterMs ?? throttledDelayMs + backOffMs(tries, random, longestDelayMs.soon)
      return Math.min(ms, longestRestMs)
    }
    case 'unavailable':
      return failure.retryAfterMs === undefined ? null : Math.min(failure.retryAfterMs, longestRestMs)
    default:
      return null
  }
}

/** How long a recipient or batch is deferred: as long as the provider asks for, otherwise longer after each try. */
function recipientDelayMs(outcome: Outcome, tries: number): number {
  const retryAfterMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined
  if (retryAfterMs)
    return outcome.kind === 'quota' ? retryAfterMs : Math.min(retryAfterMs, maxRecipientDelayMs)
  return Math.min(recipientBackOff.longestMs, recipientBackOff.firstMs * 2 ** Math.min(tries, 20))
}

function longestWait(failingMs: number): number {
  return failingMs < stuckAfter.ms ? longestDelayMs.soon : longestDelayMs.later
}

function waiting(
  code: string,
  afterMs: number,
  { unclear = false, untried = [] }: { unclear?: boolean; untried?: number[] } = {},
): DeferAction {
  return { do: 'wait', afterMs, code, unclear, untried }
}

function settled(outcomes: Settlement['outcomes'], next: NextAction): Settlement {
  return { answered: true, outcomes, next, park: null, restMs: null }
}

function unsettled(outcomes: Settlement['outcomes'], next: NextAction): Settlement {
  return { ...settled(outcomes, next), answered: false }
}

function noneSettled(to: string[]): null[] {
  return to.map(() => null)
}
