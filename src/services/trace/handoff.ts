import type { HandoffEnd } from '../../contract/enums.ts'
import type { TracedHandoff, TracedReply } from '../../db/queries/trace/handoff.ts'
import { actorView } from '../actor.ts'
import type { TraceEntry } from './entry.ts'
import { tryEntries } from './turn.ts'

const ends: Record<HandoffEnd, string> = {
  closed: 'by its unit',
  assistant: 'because the assistant took it back',
  silence: 'after a day without a message',
  timeout: 'because the time of its node was over',
  run_ended: 'because its run ended',
  unbound: 'because its chat address was no longer bound to the person',
  erased: 'because the person was erased',
}

/** What happened in a handoff. What either side said is not shown. */
export function handoffEntries(handoff: TracedHandoff): TraceEntry[] {
  const { id, node, test, openedAt, closedAt, closedBy, closedByName, endReason, replies } = handoff
  const by = node === null ? 'the assistant' : node
  const opened = `Handoff ${id}${test ? ', a test,' : ''} was opened by ${by}.`
  const entries = [{ at: openedAt, text: opened }, ...replies.flatMap(replyEntries)]
  if (closedAt === null) return [...entries, { at: null, text: `Handoff ${id} is open.` }]
  const who = endReason === 'closed' ? ` (${actorView(closedBy!, closedByName).name})` : ''
  return [...entries, { at: closedAt, text: `Handoff ${id} was closed ${ends[endReason!]}${who}.` }]
}

function replyEntries(reply: TracedReply): TraceEntry[] {
  const { number, createdAt, actor, actorName } = reply
  const by = actor === null ? 'a member of the unit' : actorView(actor, actorName).name
  return [
    { at: createdAt, text: `Reply ${number} was stored by ${by}.` },
    ...tryEntries(`Reply ${number}`, reply),
  ]
}
