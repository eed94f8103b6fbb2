import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { ChannelActivities, LookupActivities, MainActivities } from '../activities/index.ts'
import type { Channel } from '../contract/enums.ts'
import { channelTaskQueue, lookupTaskQueue } from '../domain/run/temporal-names.ts'

/** Activities are retried until they succeed: the rows decide what they may do, so a retry is always safe. */
const retry = { initialInterval: '250 ms', backoffCoefficient: 2, maximumInterval: '10 seconds' } as const

/** For short reads and moves: a local activity runs in the worker that has the run, without a task queue. */
const localOptions = { startToCloseTimeout: '15 seconds', localRetryThreshold: '5 seconds', retry } as const

/**
 * For activities that may take long: a missing heartbeat reveals a dead worker. Another worker continues within 10 s of
 * the death, even after several deaths in the same activity, because the back-off is capped at 2 s.
 */
const heartbeated = {
  heartbeatTimeout: '5 seconds',
  retry: { ...retry, maximumInterval: '2 seconds' },
} as const

/** For long activities that use only Postgres. */
const heartbeatOptions = { startToCloseTimeout: '10 minutes', ...heartbeated } as const

/** `summary`: why the row is read. What it says is not known when Temporal takes the summary. */
export function readActivities(summary: string) {
  return proxyLocalActivities<Pick<MainActivities, 'nextStep'>>({ ...localOptions, summary })
}

/** Steps that call a provider, while it is quick. They answer null where they were not taken. */
export function quickActivities(summary: string) {
  return proxyLocalActivities<Pick<MainActivities, 'sendInOneStep' | 'sayTurn'>>({ ...localOptions, summary })
}

export const { applyOperatorMove, applyRunRequest, applyScheduleRequest } = proxyActivities<
  Pick<MainActivities, 'applyOperatorMove' | 'applyRunRequest' | 'applyScheduleRequest'>
>({
  startToCloseTimeout: '30 seconds',
  retry,
  summary: "apply an operator's request",
})
/** The steps of a message on the main task queue. `summary`: what the row said that made this step the next one. */
export function stepActivities(summary: string) {
  const { expireMessage } = proxyLocalActivities<Pick<MainActivities, 'expireMessage'>>({
    ...localOptions,
    summary,
  })
  const { resolveAudience, reserveQuota, finishWave } = proxyActivities<
    Pick<MainActivities, 'resolveAudience' | 'reserveQuota' | 'finishWave'>
  >({ ...heartbeatOptions, summary })
  return { expireMessage, resolveAudience, reserveQuota, finishWave }
}

/** The activity by which a run of a scenario goes on. `summary`: why the row is read. */
export function runActivities(summary: string) {
  return proxyLocalActivities<Pick<MainActivities, 'advanceRun'>>({ ...localOptions, summary })
}

/** The activities of a schedule. `summary`: why the row is read, or what is due. */
export function scheduleActivities(summary: string) {
  const { nextOccurrence } = proxyLocalActivities<Pick<MainActivities, 'nextOccurrence'>>({
    ...localOptions,
    summary,
  })
  const { makeOccurrence } = proxyActivities<Pick<MainActivities, 'makeOccurrence'>>({
    startToCloseTimeout: '1 minute',
    retry,
    summary,
  })
  return { nextOccurrence, makeOccurrence }
}

/** The activities of a channel, on its task queue, which is fair between units (docs/design/rows-and-runs.md). */
export function channelActivities(channel: Channel, unitId: string, summary: string) {
  return proxyActivities<ChannelActivities>({
    taskQueue: channelTaskQueue(channel),
    startToCloseTimeout: '2 minutes', // with a slow server, a batch of mail takes up to one minute
    ...heartbeated,
    priority: { fairnessKey: unitId },
    summary,
  })
}

/** The Lookup of a run, on the task queue of Lookups, which is fair between units. */
export function lookupActivities(unitId: string, summary: string) {
  return proxyActivities<LookupActivities>({
    taskQueue: lookupTaskQueue,
    startToCloseTimeout: '1 minute', // 1 s to connect, 5 s for each of request and answer
    ...heartbeated,
    priority: { fairnessKey: unitId },
    summary,
  })
}
