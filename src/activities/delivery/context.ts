import type { ChatCall } from '../../channels/chat/send.ts'
import type { Mailing } from '../../channels/email/mailing.ts'
import type { Outcome } from '../../domain/message/outcome.ts'
import type { Services } from '../../services/context.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'

/**
 * Makes one provider request; its `retryKey` makes a retry safe. Returns the outcome, and never throws for what a
 * provider does.
 */
export type Send = (call: ChatCall) => Promise<Outcome>

/**
 * Sends one mail to several recipients. Returns their outcomes in order; starts none while `mayBegin` returns false.
 */
type SendMail = (mailing: Mailing, mayBegin: () => boolean) => Promise<Outcome[]>

/** What the delivery activities depend on, once per worker process. */
export type DeliveryContext = {
  services: Services
  /** By channel. A channel without a sender here is left to other workers. */
  senders: { chat?: Send; email?: SendMail }
  /** Set when the process is to shut down; lanes read it between batches. */
  drain: { readonly draining: boolean }
  breaker: CircuitBreaker
}

/** The current attempt of an activity. Heartbeats carry counts for the reader of the Temporal UI, never a cursor. */
export type ActivityAttempt = {
  runId: string
  activityId: string
  attempt: number
  heartbeat(counts: Record<string, number>): void
}

/** An activity starts no further batch after this long (docs/design/rows-and-runs.md). */
export const sliceMs = 1_000

const heartbeatEveryMs = 1_000

/** Runs `work` with heartbeats on a timer: a provider may take longer to answer than the heartbeat timeout. */
export async function withHeartbeat<T>(
  step: Pick<ActivityAttempt, 'heartbeat'>,
  counts: Record<string, number>,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => step.heartbeat(counts), heartbeatEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
