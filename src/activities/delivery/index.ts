import { Context } from '@temporalio/activity'
import type { Channel } from '../../contract/enums.ts'
import type { Db } from '../../db/connect.ts'
import { findAuditedMoves } from '../../db/queries/audit/audit.ts'
import { unconfirmed } from '../../domain/message/signals-of-moves.ts'
import type { RunSignal } from '../../domain/run/signals.ts'
import type { AtOnce } from '../at-once.ts'
import { nextStep, type ObservedStep } from '../next-step.ts'
import type { ActivityAttempt, DeliveryContext } from './context.ts'
import { finishWave } from './finish-wave.ts'
import { reserveQuota } from './reserve-quota.ts'
import { resolveAudience } from './resolve-audience.ts'
import { sendInOneStep } from './send-in-one-step.ts'
import { sendSlice } from './send-slice.ts'

/** What a worker provides: services, a sender for each channel, and the shutdown flag. */
export type DeliveryDeps = Omit<DeliveryContext, 'breaker'>

/** The activities that send a message. They pass ids, enum values and counts; everything else is read from the rows. */
export function deliveryActivities(delivery: DeliveryContext) {
  return {
    resolveAudience: (messageId: string) => resolveAudience(delivery, currentAttempt(), messageId),
    reserveQuota: (messageId: string) => reserveQuota(delivery, currentAttempt(), messageId),
    sendSlice: (waveId: string, channel: Channel) => sendSlice(delivery, currentAttempt(), waveId, channel),
    /** Sends a small message in one step, and returns the next step, which spares the run an activity. */
    async sendInOneStep(messageId: string, channel: Channel): Promise<ObservedStep> {
      await sendInOneStep(delivery, currentAttempt(), messageId, channel)
      return nextStep(delivery.services, messageId)
    },
    finishWave: (messageId: string) => finishWave(delivery, currentAttempt(), messageId),
  }
}

/** The local activities of a message: the reading of its row, and the sending of a small one on a quick channel. */
export function localActivities(delivery: DeliveryContext, atOnce: AtOnce) {
  const { services } = delivery
  return {
    /** `told`: the signals that came since the run read its row. */
    async nextStep(messageId: string, told: readonly RunSignal<'message'>[] = []): Promise<ObservedStep> {
      const next = await nextStep(services, messageId, atOnce.isQuick)
      return { ...next, unconfirmed: await unconfirmedOf(services.db, messageId, told) }
    },
    /** Sends a small message, and returns the next step; null: it was not taken, and the row is recorded as read. */
    async sendInOneStep(messageId: string, channel: Channel): Promise<ObservedStep | null> {
      const attempt = { ...currentAttempt(), heartbeat: () => {} }
      const send = () => sendInOneStep(delivery, attempt, messageId, channel)
      const sent = await atOnce.take(channel, 'sendInOneStep', send)
      if (sent?.view) return { do: 'end', view: sent.view }
      const next = await nextStep(services, messageId)
      return sent && next
    },
  }
}

/** Which of these signals tell of nothing that has happened, by name. */
async function unconfirmedOf(
  db: Db,
  messageId: string,
  told: readonly RunSignal<'message'>[],
): Promise<string[]> {
  const versions = told.flatMap(({ version }) => (version === undefined ? [] : [version]))
  return unconfirmed(told, versions.length > 0 ? await findAuditedMoves(db, messageId, versions) : [])
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
