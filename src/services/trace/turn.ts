import type { TracedTurn } from '../../db/queries/trace/run.ts'
import { explainSkip, type TraceEntry } from './entry.ts'

/** The tries of a turn of a run, or of a reply in a handoff, and its outcome. `name`: as `Turn 1`, `Reply 2`. */
export function tryEntries(name: string, turn: TracedTurn): TraceEntry[] {
  const { firstTryAt, tries, channel, by, retryKey, requestId } = turn
  const times = tries === 1 ? '1 try' : `${tries} tries`
  const facts = [
    ...(retryKey ? [`retry key ${retryKey}`] : []),
    ...(requestId ? [`the provider's request id ${requestId}`] : []),
  ]
  const tried = `${name} to the provider by ${channel ?? 'another channel'}${by ? `, as a ${by}` : ''}, ${times}`
  return [
    ...(firstTryAt === null
      ? []
      : [{ at: firstTryAt, text: `${tried}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}.` }]),
    { at: turn.closedAt, text: outcomeOf(name, turn) },
  ]
}

function outcomeOf(name: string, { state, reason, nextTryAt }: TracedTurn): string {
  const why = reason ? ` (${reason})` : ''
  switch (state) {
    case 'pending':
      return `${name} is pending${nextTryAt ? `, the next try is at ${nextTryAt.toISOString()}` : ''}.`
    case 'sent':
      return `${name} was sent.`
    case 'failed':
      return `${name} failed${why}.`
    case 'skipped':
      return `${name} was not sent: ${explainTurnSkip(reason)}.`
    case 'unknown':
      return `${name} is unknown: it may or may not have arrived${why}.`
  }
}

/** What a reason means of a turn, where it is another than of a delivery. */
const words: Record<string, string> = {
  over: 'its run had ended',
  expired: 'the provider or the quota held it back for longer than it may be late',
}

function explainTurnSkip(reason: string | null): string {
  return words[reason ?? ''] ?? explainSkip(reason)
}
