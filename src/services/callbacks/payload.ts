import type { DueDelivery, WaveStats } from '../../db/queries/callback/delivery.ts'
import { statsOf } from '../../domain/stats.ts'

/** The body of a callback: ids, states and counts, never personal data or content. Every try sends the same. */
export function payloadOf(delivery: DueDelivery): string {
  const { type, at, unitId, messageId, state, from, version } = delivery
  const about = { messageId, unitId, state, version }
  const data = type === 'message.closed' ? { ...about, ...countsOf(delivery.waves) } : { ...about, from }
  return JSON.stringify({ type, timestamp: at.toISOString(), data })
}

/** The final counts of a closed message; null if it never started. */
function countsOf([first, reminder]: WaveStats[]) {
  return {
    stats: first ? finalStats(first) : null,
    ...(reminder && { reminder: { state: reminder.state, stats: finalStats(reminder) } }),
  }
}

function finalStats(wave: WaveStats) {
  return wave.expected === null ? null : statsOf(wave, wave.byChannel)
}
