import type { Channel } from '../../contract/enums.ts'
import type { TracedCall, TracedDelivery, TracedWave } from '../../db/queries/trace/trace.ts'
import { explainSkip, type TraceEntry } from './entry.ts'

/** The entries of a delivery: its batch, its provider calls and its outcome. */
export function deliveryEntries(delivery: TracedDelivery, wave: TracedWave): TraceEntry[] {
  const { channel, batch, size, calls, state } = delivery
  if (batch === null)
    return [{ at: wave.startedAt, text: `Not sent by ${channel}: ${explainSkip(delivery.reason)}.` }]
  const parked = state === 'pending' && wave.parked ? ` The send is parked: ${wave.parked}.` : ''
  return [
    {
      at: wave.startedAt,
      text: `Assigned to ${channel} batch ${batch} with ${size} member${size === 1 ? '' : 's'}.`,
    },
    ...calls.map((call) => callStep(call, { channel, of: calls.length })),
    { at: state === 'pending' ? null : wave.finishedAt, text: `${outcomeOf(delivery)}${parked}` },
  ]
}

function callStep(
  { callNumber, tries, firstTryAt, state, code, requestId, retryKey }: TracedCall,
  { channel, of }: { channel: Channel; of: number },
): TraceEntry {
  const which = of > 1 ? `Call ${callNumber + 1} of ${of}` : 'Call'
  const times = tries === 1 ? '1 try' : `${tries} tries`
  const facts = [
    `retry key ${retryKey}`,
    ...(requestId ? [`the provider's request id ${requestId}`] : []),
    ...(code ? [`code ${code}`] : []),
  ]
  const said = {
    open: code ? 'not accepted yet, and tried again' : 'no response yet',
    accepted: 'accepted',
    refused: 'rejected',
    unknown: 'outcome unknown',
  }[state]
  return {
    at: firstTryAt === null ? null : new Date(firstTryAt),
    text: `${which} to the ${channel} provider, ${times}: ${said} (${facts.join(', ')}).`,
  }
}

function outcomeOf({ channel, state, reason }: TracedDelivery): string {
  switch (state) {
    case 'pending':
      return `Pending on ${channel}.`
    case 'sent':
      return `Sent by ${channel}.`
    case 'failed':
      return `Failed on ${channel}${reason ? ` (${reason})` : ''}.`
    case 'skipped':
      return `Not sent by ${channel}: ${explainSkip(reason)}.`
    case 'unknown':
      return `Unknown: it may or may not have arrived by ${channel}${reason ? ` (${reason})` : ''}.`
  }
}
