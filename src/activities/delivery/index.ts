import { Context } from '@temporalio/activity'
import type { Channel } from '../../contract/enums.ts'
import type { RunSignal } from '../../domain/run/signals.ts'
import type { AtOnce } from '../at-once.ts'
import type { AfterEarlier } from '../earlier-attempts.ts'
import { type MessageReading, readMessage } from '../read-message.ts'
import type { ActivityAttempt, DeliveryContext } from './context.ts'
import { finishWave } from './finish-wave.ts'
import { reserveQuota } from './reserve-quota.ts'
import { resolveAudience } from './resolve-audience.ts'
import { sendSlice } from './send-slice.ts'
import { sendSmallWave } from './send-small-wave.ts'

/** What a worker provides: services, a sender for each channel, and the shutdown flag. */
export type DeliveryDeps = Omit<DeliveryContext, 'breaker'>

/** The activities that send a message. They pass ids, enum values and counts; everything else is read from the rows. */
export function deliveryActivities(delivery: DeliveryContext, afterEarlier: AfterEarlier) {
  return {
    resolveAudience: (messageId: string) => resolveAudience(delivery, currentAttempt(), messageId),
    reserveQuota: (messageId: string) => reserveQuota(delivery, currentAttempt(), messageId),
    sendSlice(waveId: string, channel: Channel) {
      const attempt = currentAttempt()
      const name = `${attempt.runId}/${attempt.activityId}`
      return afterEarlier(attempt, name, () => sendSlice(delivery, attempt, waveId, channel))
    },
    /** Sends a small message in one step, and reads it again, which spares the run an activity. */
    async sendSmallWave(messageId: string, channel: Channel): Promise<MessageReading | null> {
      const attempt = currentAttempt()
      const send = () => sendSmallWave(delivery, attempt, messageId, channel)
      const { calls } = await afterEarlier(attempt, messageId, send)
      const message = await readMessage(delivery.services, messageId)
      return message && { ...message, calls }
    },
    finishWave: (messageId: string) => finishWave(delivery, currentAttempt(), messageId),
  }
}

/** The local activities of a message: the reading of its row, and the sending of a small one on a quick channel. */
export function localActivities(
  delivery: DeliveryContext,
  { isQuick, take }: AtOnce,
  afterEarlier: AfterEarlier,
) {
  const { services } = delivery
  return {
    /** `told`: the signals that came since the run read its row. */
    readMessage: (messageId: string, told: readonly RunSignal<'message'>[] = []) =>
      readMessage(services, messageId, { told, isQuick }),
    /** Sends a small message, and reads it again; null: it was not taken, and the row is recorded as read. */
    async sendSmallWave(messageId: string, channel: Channel): Promise<MessageReading | null> {
      const attempt = { ...currentAttempt(), heartbeat: () => {} }
      const send = () => sendSmallWave(delivery, attempt, messageId, channel)
      const sent = await take(channel, 'sendSmallWave', () => afterEarlier(attempt, messageId, send))
      if (sent?.view) return { ...sent.view, closed: true, calls: sent.calls }
      const message = await readMessage(services, messageId)
      return sent && message && { ...message, calls: sent.calls }
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
