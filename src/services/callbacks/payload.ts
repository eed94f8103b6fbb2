import type { DueDelivery, WaveStats } from '../../db/queries/callback/delivery.ts'
import { statsOf } from '../../domain/stats.ts'

/** What is POSTed: ids, states and counts, never a person's data or a text. The same in every try of a delivery. */
export function payloadOf(delivery: DueDelivery): string {
  const { type, at, unitId, messageId, state, from, version } = delivery
  const about = { messageId, unitId, state, version }
  const data = type === 'message.closed' ? { ...about, ...countsOf(delivery.waves) } : { ...about, from }
  return JSON.stringify({ type, timestamp: at.toISOString(), data })
}

/** Of a closed message they are final; null where nothing was ever prepared to be sent. */
function countsOf([first, reminder]: WaveStats[]) {
  return {
    stats: first ? finalStats(first) : null,
    ...(reminder && { reminder: { state: reminder.state, stats: finalStats(reminder) } }),
  }
}

function finalStats(wave: WaveStats) {
  return wave.expected === null ? null : statsOf(wave, wave.byChannel)
}
