import type { TracedMove } from '../../db/queries/trace/trace.ts'
import { actorView } from '../actor.ts'
import { entry, type TraceEntry } from './words.ts'

/** A move, of the audit log. Those of a message that is sent are about its reminder. */
export function moveEntry(move: TracedMove): TraceEntry {
  const { at, action, to_state: state, reason } = move
  const reminder = move.from_state === 'sent' && state === 'sent'
  const by = actorView(move.actor, move.actor_name).name
  return entry(at, 'moved', { action, by, state, reminder, reason })
}
