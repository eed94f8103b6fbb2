import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { ChannelActivities, MainActivities } from '../activities/index.ts'
import type { Channel } from '../contract/enums.ts'
import { channelTaskQueue } from '../domain/temporal-names.ts'

/** A step is tried until it succeeds: what it may do is decided by rows, so trying is always safe. */
const retry = { initialInterval: '250 ms', backoffCoefficient: 2, maximumInterval: '10 seconds' } as const

/** Short readings and moves, done by the worker that has the run: no task, no queue. */
const localOptions = { startToCloseTimeout: '15 seconds', localRetryThreshold: '5 seconds', retry } as const

/**
 * Steps that may take long: a worker that dies in one is noticed by its silence. Somebody else goes on within 10 s of
 * that, also where many died over the same step: each death makes the wait before the next attempt longer.
 */
const heartbeated = {
  heartbeatTimeout: '5 seconds',
  retry: { ...retry, maximumInterval: '2 seconds' },
} as const

/** Steps on Postgres alone. */
const heartbeatOptions = { startToCloseTimeout: '10 minutes', ...heartbeated } as const

export const { look } = proxyLocalActivities<Pick<MainActivities, 'look'>>({
  ...localOptions,
  summary: 'reads the row and decides',
})
export const { expire } = proxyLocalActivities<Pick<MainActivities, 'expire'>>({
  ...localOptions,
  summary: 'its time is over',
})
export const { operatorMove } = proxyActivities<Pick<MainActivities, 'operatorMove'>>({
  ...{ startToCloseTimeout: '30 seconds', retry },
  summary: 'an operator asked for it',
})
export const { start } = proxyActivities<Pick<MainActivities, 'start'>>({
  ...{ startToCloseTimeout: '1 minute', retry },
  summary: 'its time has come',
})
export const { writeRows } = proxyActivities<Pick<MainActivities, 'writeRows'>>({
  ...heartbeatOptions,
  summary: 'writes a row for every recipient',
})
export const { finish } = proxyActivities<Pick<MainActivities, 'finish'>>({
  ...heartbeatOptions,
  summary: 'settles what is left and closes',
})

/** The activities of a channel, on that channel's queue, where units take turns (docs/decisions/0029-runs.md). */
export function channelActivities(channel: Channel, unitId: string, summary: string) {
  return proxyActivities<ChannelActivities>({
    taskQueue: channelTaskQueue[channel],
    startToCloseTimeout: '2 minutes', // a batch of mail takes up to one, where the server is slow
    ...heartbeated,
    priority: { fairnessKey: unitId },
    summary,
  })
}
