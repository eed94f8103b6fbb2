import type { DueDelivery, WaveStats } from '../../db/queries/callback/delivery.ts'
import { statsOf } from '../../domain/stats.ts'

/**
 * The body of a callback: ids, states, counts and chosen options, never names, addresses or texts. Every try sends the
 * same.
 */
export function payloadOf(delivery: DueDelivery): string {
  const { type, at } = delivery
  return JSON.stringify({ type, timestamp: at.toISOString(), data: dataOf(delivery) })
}

function dataOf({ type, messageId, unitId, subjectId, state, from, version, data, waves }: DueDelivery) {
  const about = { messageId, unitId }
  switch (type) {
    case 'message.state_changed':
      return { ...about, state, version, from }
    case 'message.closed':
      return { ...about, state, version, ...countsOf(waves) }
    case 'message.answered':
      return { ...about, subjectId, ...data }
    case 'message.answers':
      return { ...about, ...data }
  }
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
