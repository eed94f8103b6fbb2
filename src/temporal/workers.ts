import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ActivityInterceptorsFactory,
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
  type WorkflowBundle,
} from '@temporalio/worker'
import type { Logger } from 'pino'
import type { Channel } from '../contract/enums.ts'
import { channelEntries } from '../domain/channel-entries.ts'
import { lanesPerWave } from '../domain/next-step.ts'
import { channelTaskQueue, mainTaskQueue } from '../domain/temporal-names.ts'

/** The workers of a process, kept at work whatever happens to Temporal. */
export type RunningWorkers = {
  /** Takes no more work and lets what is under way finish, as long as the shutdown grace time allows. */
  stop(): Promise<void>
}

/** Between two tries to reach Temporal, ms. */
const pauseMs = 1_000

/** Connects and works until told to stop: a Temporal that is not up yet, or goes away for good, is waited for. */
export function runWorkers(
  address: string,
  makeWorkers: (connection: NativeConnection) => Promise<Worker[]>,
  log: Logger,
): RunningWorkers {
  const stopping = new AbortController()

  async function shift(): Promise<void> {
    const connection = await NativeConnection.connect({ address })
    try {
      await workUntil(stopping.signal, await makeWorkers(connection))
    } finally {
      await connection.close()
    }
  }

  async function shifts(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await shift()
      } catch (err) {
        log.warn({ err }, 'the workers cannot work; tries again')
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  const done = shifts()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}

/** Runs all workers until told to stop; where one fails, the others are stopped too. */
async function workUntil(stopping: AbortSignal, workers: Worker[]): Promise<void> {
  const stopAll = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
  }
  stopping.addEventListener('abort', stopAll)
  const running = workers.map((worker) => worker.run())
  if (stopping.aborted) stopAll()
  try {
    await Promise.all(running)
  } finally {
    stopping.removeEventListener('abort', stopAll)
    stopAll()
    await Promise.allSettled(running)
  }
}

/** What the workers of a process are made of. A channel without activities here gets no worker. */
export type WorkerDeps = {
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
export async function createWorkers(parts: WorkerDeps): Promise<Worker[]> {
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
    taskQueue: mainTaskQueue,
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
  const channels = channelEntries<object>(parts.activities.channels).map(([channel, activities]) =>
    Worker.create({
      ...shared,
      taskQueue: channelTaskQueue[channel],
      activities,
      maxConcurrentActivityTaskExecutions: wavesAtFullSpeed * lanesPerWave[channel],
    }),
  )
  return Promise.all([main, ...channels])
}

/** Makes Temporal's SDK log through ours, and leaves signals to the process. Once, before any worker is made. */
export function installRuntime(log: Logger): void {
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    const { error, workflowId, activityType, taskQueue, sdkComponent } = (meta ?? {}) as Record<
      string,
      unknown
    >
    const fields = { err: error, runOf: workflowId, activity: activityType, taskQueue }
    if (level === 'ERROR') log.error(fields, message)
    // It warns of every worker that has no workflows, which those of channels never have.
    else if (sdkComponent === 'worker') log.debug(fields, message)
    else log.warn(fields, message)
  })
  const filter = makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' })
  Runtime.install({
    logger,
    shutdownSignals: [],
    telemetryOptions: { logging: { filter, forward: {} } },
  })
}
