import type { TracedMove } from '../../db/queries/trace/trace.ts'
import { actorView } from '../actor.ts'

/** One entry of a trace, as a sentence. `at` is null for the current state. */
export type TraceEntry = { at: Date | null; text: string }

/** Entries about the current state come last. */
export function timeOf({ at }: TraceEntry): number {
  return at?.getTime() ?? Number.MAX_SAFE_INTEGER
}

const words: Record<string, string> = {
  noConsent: 'the consent that the category requires was missing or withdrawn',
  noAddress: 'no address was bound on this channel',
  preferenceOff: 'the person had turned off the category or unsubscribed from the topic',
  blocked: 'the person had blocked the account, or mail to the address had bounced or drawn a complaint',
  doNotRemind: 'the person had asked not to be reminded',
  answered: 'the person had answered the message, and only the others are reminded',
  frequency: "the category's frequency cap was reached, pending messages included",
  cancelled: 'the message was cancelled',
  stopped: 'the send was stopped',
  expired: 'the message had expired',
  parked: 'the remaining recipients of a parked send were skipped',
  fallback: 'the channel rejected the recipient, who fell back to the next channel',
}

/** Why a delivery was skipped. */
export function explainSkip(reason: string | null): string {
  return words[reason ?? ''] ?? `the reason is ${reason ?? 'unknown'}`
}

/** A move, of the audit log. Those of a message that is sent are about its reminder. */
export function moveStep(move: TracedMove): TraceEntry {
  const by = actorView(move.actor, move.actor_name).name
  const reminder = move.from_state === 'sent' && move.to_state === 'sent'
  const became = reminder ? ' (the reminder)' : move.to_state ? `, the message is ${move.to_state}` : ''
  return { at: move.at, text: `${move.action} by ${by}${became}${move.reason ? `: ${move.reason}` : ''}` }
}
