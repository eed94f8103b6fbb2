import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { ChannelActivities, MainActivities } from '../activities/index.ts'
import type { Channel } from '../domain/channel-plan.ts'
import { channelQueue } from '../domain/run-names.ts'

/** A step is tried until it succeeds: what it may do is decided by rows, so trying is always safe. */
const retry = { initialInterval: '250 ms', backoffCoefficient: 2, maximumInterval: '10 seconds' } as const

/** Short readings and moves, done by the worker that has the run: no task, no queue. */
export const { look, expire } = proxyLocalActivities<Pick<MainActivities, 'look' | 'expire'>>({
  startToCloseTimeout: '15 seconds',
  localRetryThreshold: '5 seconds',
  retry,
})

/** Steps in Postgres alone. `writeRows` of a big audience takes its time and heartbeats meanwhile. */
export const { start, writeRows, finish, operatorMove } = proxyActivities<
  Pick<MainActivities, 'start' | 'writeRows' | 'finish' | 'operatorMove'>
>({ startToCloseTimeout: '10 minutes', heartbeatTimeout: '5 seconds', retry })

/** The activities of a channel, on that channel's queue; units take turns there (design 1, Cost). */
export function sending(channel: Channel, unitId: string, summary: string) {
  return proxyActivities<ChannelActivities>({
    taskQueue: channelQueue[channel],
    startToCloseTimeout: '1 minute',
    heartbeatTimeout: '5 seconds',
    priority: { fairnessKey: unitId },
    summary,
    retry,
  })
}
