import type { Senders } from '../../channels/connection.ts'
import type { Services } from '../../services/context.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'

/** What the delivery activities depend on, once per worker process. */
export type DeliveryContext = {
  services: Services
  /** A channel without a sender here is left to other workers. */
  senders: Senders
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
