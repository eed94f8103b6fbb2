import { Context } from '@temporalio/activity'
import type { Channel } from '../../contract/enums.ts'
import type { AtOnce } from '../at-once.ts'
import { nextStep, type ObservedStep } from '../next-step.ts'
import type { ActivityAttempt, DeliveryContext } from './context.ts'
import { finishWave } from './finish-wave.ts'
import { sendInOneStep } from './send-in-one-step.ts'
import { sendSlice } from './send-slice.ts'
import { startWave } from './start-wave.ts'
import { writeDeliveries } from './write-deliveries.ts'

/** What a worker provides: services, a sender for each channel, and the shutdown flag. */
export type DeliveryDeps = Omit<DeliveryContext, 'breaker'>

/** The activities that send a message. They pass ids, enum values and counts; everything else is read from the rows. */
export function deliveryActivities(delivery: DeliveryContext) {
  return {
    startWave: (messageId: string) => startWave(delivery, messageId),
    writeDeliveries: (waveId: string) => writeDeliveries(delivery, currentAttempt(), waveId),
    sendSlice: (waveId: string, channel: Channel) => sendSlice(delivery, currentAttempt(), waveId, channel),
    /** Sends a small message in one step, and returns the next step, which spares the run an activity. */
    async sendInOneStep(messageId: string, channel: Channel): Promise<ObservedStep> {
      await sendInOneStep(delivery, currentAttempt(), messageId, channel)
      return nextStep(delivery.services.db, messageId)
    },
    finishWave: (messageId: string) => finishWave(delivery, currentAttempt(), messageId),
  }
}

/**
 * The activity by which the run of a message reads its row. A small message that is due on a quick channel is sent in
 * it.
 */
export function readActivities(delivery: DeliveryContext, atOnce: AtOnce) {
  const { db } = delivery.services
  return {
    nextStep(messageId: string): Promise<ObservedStep> {
      return nextStep(db, messageId, async (step) => {
        if (step.do !== 'sendInOneStep') return null
        const { channel } = step
        const attempt = { ...currentAttempt(), heartbeat: () => {} }
        return atOnce(channel, step.do, () => sendInOneStep(delivery, attempt, messageId, channel))
      })
    },
  }
}

/** The current attempt, from the activity's context. */
export function currentAttempt(): ActivityAttempt {
  const { info, heartbeat } = Context.current()
  return {
    runId: info.workflowExecution?.runId ?? info.activityId,
    activityId: info.activityId,
    attempt: info.attempt,
    heartbeat,
  }
}
