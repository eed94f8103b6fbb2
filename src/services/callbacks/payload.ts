import type { PlanMode } from '../../contract/enums.ts'
import type { DueDelivery, WaveStats } from '../../db/queries/callback/delivery.ts'
import { statsOf } from '../../domain/message/stats.ts'

/**
 * The body of a callback: ids, states, counts and chosen options, never names, addresses or texts. Every try sends the
 * same.
 */
export function payloadOf(delivery: DueDelivery): string {
  const { type, at } = delivery
  return JSON.stringify({ type, timestamp: at.toISOString(), data: dataOf(delivery) })
}

function dataOf({ type, unitId, ...delivery }: DueDelivery) {
  const { messageId, reference, run, subjectId, uid, state, from, version, data } = delivery
  const about = { messageId, unitId, reference }
  const aboutRun = { runId: run?.id, scenarioId: run?.scenarioId, version: run?.version, unitId }
  switch (type) {
    case 'message.state_changed':
      return { ...about, state, version, from }
    case 'message.closed':
      return { ...about, state, version, ...countsOf(delivery.waves, delivery.planMode!) }
    case 'message.answered':
      return { ...about, subjectId, uid, ...data }
    case 'message.answers':
      return { ...about, ...data }
    case 'run.answered':
      return { ...aboutRun, subjectId, uid, ...data }
    case 'run.ended':
      return { ...aboutRun, ...data }
  }
}

/** The final counts of a closed message; null if it never started. */
function countsOf([first, reminder]: WaveStats[], mode: PlanMode) {
  const final = (wave: WaveStats) => (wave.expected === null ? null : statsOf(wave, mode))
  return {
    stats: first ? final(first) : null,
    ...(reminder && { reminder: { state: reminder.state, stats: final(reminder) } }),
  }
}
