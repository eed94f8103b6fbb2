import type { ChatCall } from '../../channels/chat/send.ts'
import type { Mailing } from '../../channels/email/mailing.ts'
import type { Outcome } from '../../domain/outcome.ts'
import type { Services } from '../../services/context.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'

/**
 * One provider request; `retryKey` makes a repeat harmless. Answers how it ended and never throws for what a provider
 * does.
 */
export type Send = (call: ChatCall) => Promise<Outcome>

/** One mail to several people, each with an outcome of their own, in order. Nothing begins while `mayBegin` says no. */
export type SendMail = (mailing: Mailing, mayBegin: () => boolean) => Promise<Outcome[]>

/** What the delivery activities depend on; one per worker process. */
export type DeliveryContext = {
  services: Services
  /** By channel; one that is not set up here is left to other workers. */
  senders: { chat?: Send; email?: SendMail }
  /** Set when the process is asked to end: read between batches. */
  drain: { readonly draining: boolean }
  breaker: CircuitBreaker
}

/** The attempt of an activity that does the work. Heartbeats carry counts for the eye, never a cursor. */
export type ActivityAttempt = {
  runId: string
  activityId: string
  attempt: number
  heartbeat(counts: Record<string, number>): void
}

/** An activity begins nothing new after this long (docs/decisions/0029-runs.md). */
export const sliceMs = 1_000

const heartbeatEveryMs = 1_000

/** Does `work` while heartbeats go on by themselves: a provider may take longer to answer than the heartbeat's limit. */
export async function withHeartbeat<T>(
  step: ActivityAttempt,
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
