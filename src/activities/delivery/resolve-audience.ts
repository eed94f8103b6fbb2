import { type ActivityAttempt, type DeliveryContext, withHeartbeat } from './context.ts'
import { startWave } from './start-wave.ts'
import { writeDeliveries } from './write-deliveries.ts'

/**
 * Resolves the audience of the wave that is due: compares it with the one that was approved, begins the send, and writes
 * a delivery for each person. Nothing can be sent before quota is reserved for them. After an interruption the next
 * attempt continues from the rows. If the audience is not the approved one, the message returns to review instead.
 */
export async function resolveAudience(
  delivery: DeliveryContext,
  step: ActivityAttempt,
  messageId: string,
): Promise<void> {
  await withHeartbeat(step, {}, async () => {
    const waveId = await startWave(delivery, messageId)
    if (waveId !== null) await writeDeliveries(delivery, waveId)
  })
}
