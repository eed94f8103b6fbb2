import {
  type ActivityInterceptorsFactory,
  type NativeConnection,
  Worker,
  type WorkerOptions,
  type WorkflowBundle,
} from '@temporalio/worker'
import type { Channel } from '../contract/enums.ts'
import { byChannel } from '../domain/by-channel.ts'
import { lanesPerWave } from '../domain/next.ts'
import { channelQueue, mainQueue } from '../domain/run-names.ts'

/** What the workers of a process are made of. A channel without activities here gets no worker. */
export type WorkerParts = {
  connection: NativeConnection
  namespace: string
  bundle: WorkflowBundle
  activities: { main: object; channels: Partial<Record<Channel, object>> }
  interceptor: ActivityInterceptorsFactory
  /** Runs kept in memory; 0 makes every step begin with a replay, for tests. */
  maxCachedWorkflows?: number
}

/** Waves that one process sends at full speed at a time; small ones still find a slot (docs/decisions/0029-runs.md). */
const wavesAtFullSpeed = 8

/** Makes one worker for each queue; none of them polls yet. */
export async function createWorkers(parts: WorkerParts): Promise<Worker[]> {
  const shared: Partial<WorkerOptions> = {
    connection: parts.connection,
    namespace: parts.namespace,
    interceptors: { activity: [parts.interceptor] },
    // The SDK's default is 0: what is under way would be cut off.
    shutdownGraceTime: '10 seconds',
    maxHeartbeatThrottleInterval: '1 second',
  }
  const main = Worker.create({
    ...shared,
    taskQueue: mainQueue,
    workflowBundle: parts.bundle,
    activities: parts.activities.main,
    reuseV8Context: true,
    maxConcurrentWorkflowTaskExecutions: 40,
    maxConcurrentLocalActivityExecutions: 40,
    maxConcurrentActivityTaskExecutions: 20,
    // Workflow tasks wait so long for a worker that died before any other may have them.
    stickyQueueScheduleToStartTimeout: '2 seconds',
    ...(parts.maxCachedWorkflows !== undefined && { maxCachedWorkflows: parts.maxCachedWorkflows }),
  })
  const channels = byChannel<object>(parts.activities.channels).map(([channel, activities]) =>
    Worker.create({
      ...shared,
      taskQueue: channelQueue[channel],
      activities,
      maxConcurrentActivityTaskExecutions: wavesAtFullSpeed * lanesPerWave[channel],
    }),
  )
  return Promise.all([main, ...channels])
}
