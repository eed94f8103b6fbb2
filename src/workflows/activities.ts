import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { ChannelActivities, LookupActivities, MainActivities } from '../activities/index.ts'
import type { Channel } from '../contract/enums.ts'
import { channelTaskQueue, lookupTaskQueue } from '../domain/run/temporal-names.ts'

/** Activities are retried until they succeed: the rows decide what they may do, so a retry is always safe. */
const retry = { initialInterval: '250 ms', backoffCoefficient: 2, maximumInterval: '10 seconds' } as const

/** For short reads and moves: a local activity runs in the worker that has the run, without a task queue. */
const local = { startToCloseTimeout: '15 seconds', localRetryThreshold: '5 seconds', retry } as const

/**
 * For activities that may take long: a missing heartbeat reveals a dead worker. Another worker continues within 10 s of
 * the death, even after several deaths in the same activity, because the back-off is capped at 2 s.
 */
const heartbeated = {
  heartbeatTimeout: '5 seconds',
  retry: { ...retry, maximumInterval: '2 seconds' },
} as const

/** The reading of a row. `why` it is read: what it says is not known when Temporal takes the summary. */
export function readActivities(why: string) {
  return proxyLocalActivities<Pick<MainActivities, 'readMessage' | 'advanceRun' | 'readSchedule'>>({
    ...local,
    summary: why,
  })
}

export const { applyOperatorMove, applyRunRequest, applyScheduleRequest } = proxyActivities<
  Pick<MainActivities, 'applyOperatorMove' | 'applyRunRequest' | 'applyScheduleRequest'>
>({
  startToCloseTimeout: '30 seconds',
  retry,
  summary: "apply an operator's request",
})

/** The quick steps of a run, in the worker that has it, as local activities. A send that was not taken answers null. */
export function localActivities(summary: string) {
  return proxyLocalActivities<Pick<MainActivities, 'expireMessage' | 'sendSmallWave' | 'sayTurn'>>({
    ...local,
    summary,
  })
}

/** The steps of a run that use Postgres alone, and may take long. */
export function longActivities(summary: string) {
  return proxyActivities<Pick<MainActivities, 'resolveAudience' | 'reserveQuota' | 'finishWave'>>({
    startToCloseTimeout: '10 minutes',
    ...heartbeated,
    summary,
  })
}

/** The making of what a schedule makes, in one transaction. */
export function occurrenceActivities(summary: string) {
  return proxyActivities<Pick<MainActivities, 'makeOccurrence'>>({
    startToCloseTimeout: '1 minute',
    retry,
    summary,
  })
}

/** The sends of a channel, on its task queue, which is fair between units (docs/design/rows-and-runs.md). */
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
    startToCloseTimeout: '15 seconds', // 1 s to connect, 5 s for each of request and answer
    ...heartbeated,
    priority: { fairnessKey: unitId },
    summary,
  })
}
