import { Context } from '@temporalio/activity'
import type { Channel } from '../../contract/enums.ts'
import { type Look, look } from '../look.ts'
import { createBreaker } from './circuit-breaker.ts'
import type { Delivery, Step } from './delivery.ts'
import { finish } from './finish-wave.ts'
import { express } from './send-in-one-step.ts'
import { sendSlice } from './send-slice.ts'
import { start } from './start-wave.ts'
import { writeRows } from './write-rows.ts'

export type { Send } from './delivery.ts'

/** What a worker gives the delivery: services, what sends on each channel, and the flag that it is to end. */
export type DeliveryParts = Omit<Delivery, 'breaker'>

/** The steps of sending a message. Ids, small words and counts go in and out; everything else is read from the rows. */
export function deliveryActivities(parts: DeliveryParts) {
  const delivery: Delivery = { ...parts, breaker: createBreaker() }
  return {
    start: (messageId: string) => start(delivery, messageId),
    writeRows: (waveId: string) => writeRows(delivery, step(), waveId),
    sendSlice: (waveId: string, channel: Channel) => sendSlice(delivery, step(), waveId, channel),
    /** A small message in one step; looks again by itself, which spares its run a step of its own for that. */
    async express(messageId: string, channel: Channel): Promise<Look> {
      await express(delivery, step(), messageId, channel)
      return look(parts.services.db, messageId)
    },
    finish: (messageId: string) => finish(delivery, step(), messageId),
  }
}

export type DeliveryActivities = ReturnType<typeof deliveryActivities>

/** The attempt that Temporal is running now. */
function step(): Step {
  const { info, heartbeat } = Context.current()
  return {
    runId: info.workflowExecution?.runId ?? info.activityId,
    activityId: info.activityId,
    attempt: info.attempt,
    heartbeat,
  }
}
