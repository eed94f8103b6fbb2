import type { DeliveryState, Problem } from '../contract/enums.ts'
import { backOffMs } from './back-off.ts'
import {
  codeOf,
  isAborted,
  isAnswer,
  isProviderFailure,
  type Outcome,
  type ProviderFailure,
} from './outcome.ts'

/** What a try settled for one recipient. */
export type MemberOutcome = { state: Exclude<DeliveryState, 'pending' | 'skipped'>; reason: string | null }

/** What one try of a batch means: who came to what, and what becomes of those who are left. */
export type Settlement = {
  /** The provider said something about a recipient, so it works. */
  answered: boolean
  /** One fate for everybody, or each recipient's own in the order of the call; null: still to be told. */
  fates: MemberOutcome | (MemberOutcome | null)[]
  next: NextAction
  /** Why the wave is parked. `gate`: all of it waits, and probes; otherwise this batch alone does. */
  park: { problem: Problem; gate: boolean } | null
  /** How long the whole channel rests, ms. */
  restMs: number | null
}

/** What becomes of those who are left. */
export type NextAction =
  /** Nobody is. */
  | { do: 'end' }
  /** They are called at once, under a new key. */
  | { do: 'call' }
  /** Two batches, both free at once. */
  | { do: 'halve' }
  | DeferAction

/**
 * They are tried again after `afterMs`, but for the `untried` (by their places in the call), who are free at once.
 * `unclear`: the call may have been accepted, so that its key and members stay as they are.
 */
export type DeferAction = { do: 'wait'; afterMs: number; code: string; unclear: boolean; untried: number[] }

/** What is known of a batch when a try of it is judged. */
export type TrySituation = {
  /** Whom the call goes to; addresses are personal data. */
  to: string[]
  /** How often it was put off before, and for how long by now (ms). */
  tries: number
  failingMs: number
  /** An earlier try under the same key may have been accepted. */
  unclear: boolean
  /** Somebody else on the channel got through since it was first put off. */
  othersPass: boolean
  /** Two different ones met trouble since anybody last got through: it is about all. */
  general: boolean
  /** That has lasted long enough to park. */
  lasting: boolean
  /** The wave is parked as a whole, and this try was its probe. */
  probing: boolean
}

/** A batch that was put off so often, for so long (ms), is shown as parked, whatever others do. */
export const stuckAfter = { tries: 5, ms: 60_000 }

/** Who is put off alone for so long fails: a wave should end on the day it began. */
const maxDeferralMs = 4 * 3_600_000
/** A provider's wish for a pause is taken up to this; the next answer may ask for more. */
const longestRestMs = 300_000
/** A mailbox may ask for longer: nobody else waits for it. */
const maxRecipientDelayMs = 3_600_000
const throttledDelayMs = 1_000
/** Waits of a batch: while it may pass in a moment, and when it has lasted. */
const longestDelayMs = { soon: 5_000, later: 60_000 }
/** Waits of one recipient; greylisting usually asks for one to five minutes, and forgets nobody within an hour. */
const recipientBackOff = { firstMs: 5_000, longestMs: 15 * 60_000 }
/** Trouble that may pass is looked for in halves of the batch after so many tries; any other at the second. */
const triesBeforeHalving = 5

/**
 * What the outcome of a call to all or nobody means. Accepted and refused end it, even an unclear one: with the same key
 * a refusal says that no earlier try went through. `random` in [0, 1) spreads the delays.
 */
export function judgeCall(outcome: Outcome, situation: TrySituation, random: number): Settlement {
  const { to, tries, failingMs, unclear: before } = situation
  switch (outcome.kind) {
    case 'accepted':
      return settled({ state: 'sent', reason: null }, { do: 'end' })
    case 'refused':
      return refusal(outcome, to)
    case 'deferred':
      return settled(
        nobodySettled(to),
        waiting(outcome.code, recipientDelayMs(outcome, tries), { unclear: before }),
      )
  }
  const code = codeOf(outcome)
  const unclear = before || isUnclear(outcome)
  const theirs = situation.othersPass && !outcome.general
  const park = parking(outcome, situation, theirs)
  if (!unclear && to.length > 1 && isToBeHalved(outcome, situation, theirs))
    return { ...unsettled(nobodySettled(to), { do: 'halve' }), park }
  if (!unclear && theirs && to.length === 1 && hasFailedForGood(outcome, situation))
    return unsettled({ state: 'failed', reason: code }, { do: 'end' })
  const restMs = theirs ? null : restOf(outcome, tries, random)
  const afterMs =
    theirs && !unclear
      ? Math.min(recipientDelayMs(outcome, tries), to.length > 1 ? longestRestMs : maxRecipientDelayMs)
      : Math.max(restMs ?? 0, backOffMs(tries, random, longestWait(failingMs)))
  return { ...unsettled(nobodySettled(to), waiting(code, afterMs, { unclear })), park, restMs }
}

/**
 * What the outcomes of a call mean in which each recipient, in order, had one of their own. There is no retry key: where
 * a server may have accepted one, nobody can ask again without perhaps telling twice. `repeats`: it may have arrived
 * before, so that only an acceptance settles anything.
 */
export function judgeRecipients(
  outcomes: Outcome[],
  situation: TrySituation,
  random: number,
  { repeats = false } = {},
): Settlement {
  const { tries, failingMs, general } = situation
  const answered = outcomes.some(isAnswer)
  const othersPass = situation.othersPass || answered
  const met = outcomes.filter(
    (outcome) => isProviderFailure(outcome) && !isAborted(outcome) && !isUnclear(outcome),
  )
  const whole = met.find(
    (one): one is ProviderFailure => isProviderFailure(one) && (one.general === true || !othersPass),
  )
  const fates = outcomes.map((outcome) => {
    const fate = memberOutcomeOf(outcome, { ...situation, othersPass })
    return repeats ? repeatOutcomeOf(fate) : fate
  })
  const left = outcomes.flatMap((outcome, place) => (fates[place] === null ? [{ outcome, place }] : []))
  if (left.length === 0) return { answered, fates, next: { do: 'end' }, park: null, restMs: null }
  const untried = left.flatMap(({ outcome, place }) => (isAborted(outcome) ? [place] : []))
  if (whole) {
    const believed = general || whole.general === true
    const restMs = believed ? restOf(whole, tries, random) : null
    const asked = whole.kind === 'throttled' || whole.kind === 'unavailable' ? (whole.retryAfterMs ?? 0) : 0
    const afterMs = Math.max(
      restMs ?? 0,
      Math.min(asked, longestRestMs),
      backOffMs(tries, random, longestWait(failingMs)),
    )
    const next = waiting(codeOf(whole), afterMs, { untried: believed ? [] : untried })
    const probing = situation.probing && !answered
    return { answered, fates, next, park: parking(whole, { ...situation, probing }, false), restMs }
  }
  const putOff = left.flatMap(({ outcome }) => (isAborted(outcome) ? [] : [outcome]))
  const afterMs = Math.max(0, ...putOff.map((outcome) => recipientDelayMs(outcome, tries)))
  const [first] = putOff
  const code = first && first.kind !== 'accepted' ? codeOf(first) : 'aborted'
  const park = first && isProviderFailure(first) ? parking(first, situation, true) : null
  return { answered, fates, next: waiting(code, afterMs, { untried }), park, restMs: null }
}

/** How long a stored retry key makes a repeat harmless: the provider keeps it for 24 h; less a minute for the way. */
const retryKeyLifeMs = 24 * 3_600_000 - 60_000

/** May an unclear call still be repeated under its key, so long (ms) after its first try? */
export function isRepeatable(ageMs: number): boolean {
  return ageMs < retryKeyLifeMs
}

function refusal({ code, failed = [] }: { code: string; failed?: string[] }, to: string[]): Settlement {
  const fate = { state: 'failed', reason: code } as const
  const left = to.filter((address) => !failed.includes(address))
  if (left.length === 0 || to.length === 1) return settled(fate, { do: 'end' })
  if (failed.length === 0) return settled(nobodySettled(to), { do: 'halve' })
  return settled(
    to.map((address) => (left.includes(address) ? null : fate)),
    { do: 'call' },
  )
}

/** What an outcome means for its one recipient; null: still to be told. */
function memberOutcomeOf(outcome: Outcome, situation: TrySituation): MemberOutcome | null {
  switch (outcome.kind) {
    case 'accepted':
      return { state: 'sent', reason: null }
    case 'refused':
      return { state: 'failed', reason: outcome.code }
    case 'deferred':
      return situation.failingMs < maxDeferralMs ? null : { state: 'failed', reason: outcome.code }
  }
  if (isUnclear(outcome)) return { state: 'unknown', reason: codeOf(outcome) }
  if (isAborted(outcome) || outcome.general || !situation.othersPass || !hasFailedForGood(outcome, situation))
    return null
  return { state: 'failed', reason: codeOf(outcome) }
}

/** The same where it may have arrived before, whatever is said now. */
function repeatOutcomeOf(fate: MemberOutcome | null): MemberOutcome | null {
  if (fate === null) return null
  return fate.state === 'sent' ? { state: 'sent', reason: 'repeated' } : { ...fate, state: 'unknown' }
}

/** Trouble of one recipient's own has lasted long enough to fail. */
function hasFailedForGood(trouble: ProviderFailure, { tries, failingMs }: TrySituation): boolean {
  return isDefinite(trouble) ? tries >= 1 : failingMs >= maxDeferralMs
}

/** Five of these would keep the others of a batch waiting for too long. */
function asksForLong(trouble: ProviderFailure): boolean {
  return 'retryAfterMs' in trouble && (trouble.retryAfterMs ?? 0) > longestDelayMs.later
}

function isDefinite({ kind }: ProviderFailure): boolean {
  return kind === 'misconfigured'
}

function isUnclear(outcome: Outcome): boolean {
  return outcome.kind === 'unavailable' && !outcome.certain
}

/**
 * Others get through, so what the provider trips over is in this batch. Where nobody does, a batch that failed often is
 * made smaller all the same, one at a time: among few batches, each may hold somebody like that.
 */
function isToBeHalved(trouble: ProviderFailure, situation: TrySituation, theirs: boolean): boolean {
  const { tries, failingMs, probing, general } = situation
  if (theirs) return tries >= (isDefinite(trouble) || asksForLong(trouble) ? 1 : triesBeforeHalving)
  return (
    !trouble.general && tries >= stuckAfter.tries && (probing || (!general && failingMs >= stuckAfter.ms))
  )
}

/**
 * What only a person can mend parks the wave as soon as two different ones met it, what may pass after a minute. A probe
 * that met trouble leaves it parked. A batch that fails for long is shown as parked, though others go on.
 */
function parking(trouble: ProviderFailure, situation: TrySituation, theirs: boolean): Settlement['park'] {
  if (isAborted(trouble)) return null
  const problem = trouble.kind === 'quota' ? 'provider_quota' : 'provider'
  const believed = situation.general || trouble.general === true
  const atOnce = trouble.kind === 'misconfigured' || trouble.kind === 'quota'
  if (!theirs && (situation.probing || (believed && (atOnce || situation.lasting))))
    return { problem, gate: true }
  return isStuck(situation.tries + 1, situation.failingMs) ? { problem, gate: false } : null
}

/** Such a batch is shown as parked. */
function isStuck(tries: number, failingMs: number): boolean {
  return tries >= stuckAfter.tries && failingMs >= stuckAfter.ms
}

function restOf(trouble: ProviderFailure, tries: number, random: number): number | null {
  switch (trouble.kind) {
    case 'throttled': {
      const ms = trouble.retryAfterMs ?? throttledDelayMs + backOffMs(tries, random, longestDelayMs.soon)
      return Math.min(ms, longestRestMs)
    }
    case 'unavailable':
      return trouble.retryAfterMs === undefined ? null : Math.min(trouble.retryAfterMs, longestRestMs)
    default:
      return null
  }
}

/** How long a recipient or batch is put off by itself: what was asked for, else longer each time. */
function recipientDelayMs(outcome: Outcome, tries: number): number {
  const asked = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined
  if (asked) return Math.min(asked, maxRecipientDelayMs)
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

function settled(fates: Settlement['fates'], next: NextAction): Settlement {
  return { answered: true, fates, next, park: null, restMs: null }
}

function unsettled(fates: Settlement['fates'], next: NextAction): Settlement {
  return { ...settled(fates, next), answered: false }
}

function nobodySettled(to: string[]): null[] {
  return to.map(() => null)
}
