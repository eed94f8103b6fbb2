import type { TracedCall, TracedDelivery, TracedWave } from '../../db/queries/trace/trace.ts'
import { entry, type TraceEntry } from './words.ts'

/** The entries of a delivery: its batch, its provider calls and its outcome. */
export function deliveryEntries(delivery: TracedDelivery, wave: TracedWave): TraceEntry[] {
  const { channel, batch, size, calls, state, reason } = delivery
  if (batch === null) return [entry(wave.startedAt, 'skipped', channel, reason)]
  const parked = state === 'pending' ? wave.parked : null
  return [
    entry(wave.startedAt, 'in_batch', channel, batch, size ?? 0),
    ...calls.map((call) => callEntry(call, delivery)),
    entry(state === 'pending' ? null : wave.finishedAt, 'outcome', { channel, state, reason, parked }),
  ]
}

function callEntry(call: TracedCall, { channel, calls }: TracedDelivery): TraceEntry {
  const { callNumber, firstTryAt, ...facts } = call
  const place = { nth: callNumber + 1, of: calls.length }
  return entry(firstTryAt === null ? null : new Date(firstTryAt), 'called', { ...facts, channel, place })
}
