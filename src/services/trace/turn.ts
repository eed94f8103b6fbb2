import type { TracedTurn } from '../../db/queries/trace/run.ts'
import { type Bilingual, entry, type TraceEntry } from './words.ts'

/** The tries of a turn of a run, or of a reply in a handoff, and its outcome. `name`: as `Turn 1`, `Reply 2`. */
export function tryEntries(name: Bilingual, turn: TracedTurn): TraceEntry[] {
  const { firstTryAt, tries, channel, by, retryKey, requestId } = turn
  const entries =
    firstTryAt === null ? [] : [entry(firstTryAt, 'tried', { name, channel, by, tries, retryKey, requestId })]
  return [...entries, outcomeEntry(name, turn)]
}

function outcomeEntry(name: Bilingual, { closedAt, state, reason, nextTryAt }: TracedTurn): TraceEntry {
  switch (state) {
    case 'pending':
      return entry(closedAt, 'try_pending', name, nextTryAt)
    case 'sent':
      return entry(closedAt, 'try_sent', name)
    case 'failed':
      return entry(closedAt, 'try_failed', name, reason)
    case 'skipped':
      return entry(closedAt, 'try_skipped', name, reason === 'expired' ? 'late' : reason)
    case 'unknown':
      return entry(closedAt, 'try_unknown', name, reason)
  }
}
