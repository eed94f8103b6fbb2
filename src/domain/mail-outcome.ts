import { type Again, judge, type Outcome } from './outcome.ts'

/**
 * How one try to one recipient ended. Beside what every channel knows, mail has `deferred`: definite, and about this
 * recipient alone (greylisting, a full mailbox), so the others need not wait; it is worth another try later.
 */
export type MailOutcome =
  | Outcome
  | { kind: 'deferred'; code: string; retryAfterMs?: number; requestId?: string }

/** What a try settled for its recipient; null: nothing, they are still to be told. */
export type Fate = { state: 'sent' | 'failed' | 'unknown'; reason: string | null } | null

/** A recipient who is put off for so long fails: a wave should end on the day it began. */
const putOffAtMostMs = 4 * 3_600_000

const firstPutOffMs = 5_000
/** Greylisting usually asks for one to five minutes, and forgets nobody within an hour. */
const longestPutOffMs = 15 * 60_000

/**
 * What the outcome of a try means for its recipient, `ageMs` after the first try to anybody of the batch. Mail has no
 * retry keys: where a server may have accepted it, nobody can ask again without perhaps telling twice.
 */
export function fateOf(outcome: MailOutcome, ageMs: number): Fate {
  switch (outcome.kind) {
    case 'accepted':
      return { state: 'sent', reason: null }
    case 'refused':
      return { state: 'failed', reason: outcome.code }
    case 'deferred':
      return ageMs < putOffAtMostMs ? null : { state: 'failed', reason: outcome.code }
    case 'unavailable':
      return outcome.certain ? null : { state: 'unknown', reason: outcome.code }
    default:
      return null
  }
}

/**
 * The same where the mail had been tried before and stayed unclear: it may have arrived, whatever a server says now, so
 * only an acceptance settles it.
 */
export function fateOfRepeat(outcome: MailOutcome, ageMs: number): Fate {
  const fate = fateOf(outcome, ageMs)
  if (fate === null) return null
  return fate.state === 'sent' ? { state: 'sent', reason: 'repeated' } : { ...fate, state: 'unknown' }
}

/**
 * When those who are still to be told are tried again, `tries` into a batch: as the server as a whole asks, where it is
 * in trouble; else when the last of those it put off may come back. Null: nobody is left.
 */
export function tryAgain(outcomes: MailOutcome[], tries: number, random: number): Again | null {
  const left = outcomes.filter((outcome) => fateOf(outcome, 0) === null)
  const server = left.find((outcome): outcome is Outcome => outcome.kind !== 'deferred')
  if (server) return againAfter(server, { recipients: left.length, unclear: false, tries }, random)
  const deferred = left.filter((outcome) => outcome.kind === 'deferred')
  if (deferred.length === 0) return null
  const usualMs = Math.min(longestPutOffMs, firstPutOffMs * 2 ** Math.min(tries, 20))
  const afterMs = Math.max(...deferred.map(({ retryAfterMs = usualMs }) => retryAfterMs))
  return { do: 'again', code: deferred[0]!.code, unclear: false, afterMs, restMs: null, trouble: null }
}

function againAfter(server: Outcome, tried: Parameters<typeof judge>[1], random: number): Again {
  const again = judge(server, tried, random) as Again // what is accepted or refused leaves nobody to be told
  if (server.kind === 'misconfigured') return { ...again, code: `smtp_${server.status}` }
  // Nothing was asked of the server: our own time was over.
  if (server.kind === 'unavailable' && server.code === 'aborted')
    return { ...again, afterMs: 0, trouble: null }
  return again
}
