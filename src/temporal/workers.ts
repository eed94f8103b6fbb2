import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ActivityInterceptorsFactory,
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker'
import type { Logger } from 'pino'
import type { Channel } from '../contract/enums.ts'
import { limits } from '../contract/limits.ts'
import { channelEntries } from '../domain/lib/channel-entries.ts'
import { lanesPerWave } from '../domain/message/run-facts.ts'
import { channelTaskQueue, lookupTaskQueue, mainTaskQueue } from '../domain/run/temporal-names.ts'
import type { SdkMetrics } from '../metrics/temporal-sdk.ts'
import type { ReleasedBundle } from './bundle.ts'
import { workerIdentity } from './release.ts'
import type { TemporalServer } from './server.ts'

/** The Temporal workers of a process, kept running across outages. */
export type RunningWorkers = {
  /** Polls no more tasks and lets running ones finish within the shutdown grace time. */
  stop(): Promise<void>
}

/** The pause before the workers are restarted (ms). */
const pauseMs = 1_000

/** Connects and runs the workers until stopped, and retries while Temporal is unavailable. */
export function runWorkers(
  { address, tls, apiKey }: TemporalServer,
  makeWorkers: (connection: NativeConnection) => Promise<Worker[]>,
  log: Logger,
): RunningWorkers {
  const stopping = new AbortController()

  async function runOnce(): Promise<void> {
    const connection = await NativeConnection.connect({ address, tls, apiKey })
    try {
      const workers = await makeWorkers(connection)
      log.info({ taskQueues: workers.map(({ options }) => options.taskQueue) }, 'Polling Temporal')
      await workUntil(stopping.signal, workers)
    } finally {
      await connection.close()
    }
  }

  async function runUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await runOnce()
      } catch (err) {
        log.warn({ err }, 'Temporal workers failed; restarting them')
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  const done = runUntilStopped()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}

/** Runs all workers until stopped; if one fails, stops the others too. */
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

/** What the workers of a process depend on. A channel without activities gets no worker, and so do Lookups. */
type WorkerDeps = {
  connection: NativeConnection
  namespace: string
  bundle: ReleasedBundle
  activities: { main: object; channels: Partial<Record<Channel, object>>; lookup?: object }
  /** Around each activity, the outermost first. */
  interceptors: ActivityInterceptorsFactory[]
  /** Runs kept in memory; 0 makes every workflow task start with a replay. Omitted: what the SDK makes of the heap limit. */
  maxCachedWorkflows?: number
}

/** Waves that one process sends with all lanes at once; small ones still get a slot (docs/design/rows-and-runs.md). */
const wavesAtFullSpeed = 8

/**
 * Lookups that one process makes at a time: ten origins with all calls that they may have. One that waits for its origin is
 * not among them (docs/design/callbacks-and-lookups.md).
 */
const lookupSlots = 10 * limits.lookupsAtOnce

/** Creates one worker for each task queue; none of them polls yet. */
export async function createWorkers(parts: WorkerDeps): Promise<Worker[]> {
  const shared: Partial<WorkerOptions> = {
    connection: parts.connection,
    namespace: parts.namespace,
    identity: workerIdentity(parts.bundle.release),
    interceptors: { activity: parts.interceptors },
    // The SDK's default of 0 would cut off running activities.
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
    // How long the workflow tasks of a dead worker wait before another worker takes them.
    stickyQueueScheduleToStartTimeout: '2 seconds',
    ...(parts.maxCachedWorkflows !== undefined && { maxCachedWorkflows: parts.maxCachedWorkflows }),
  })
  const channels = channelEntries<object>(parts.activities.channels).map(([channel, activities]) =>
    Worker.create({
      ...shared,
      taskQueue: channelTaskQueue(channel),
      activities,
      maxConcurrentActivityTaskExecutions: wavesAtFullSpeed * lanesPerWave[channel],
    }),
  )
  const lookups = parts.activities.lookup && {
    ...shared,
    taskQueue: lookupTaskQueue,
    activities: parts.activities.lookup,
    maxConcurrentActivityTaskExecutions: lookupSlots,
  }
  return Promise.all([main, ...channels, ...(lookups ? [Worker.create(lookups)] : [])])
}

/**
 * Routes the SDK's logs to `log` and its metrics to `metrics`, if given, and leaves signals to the process. Call once,
 * before any worker is created.
 */
export function installRuntime(log: Logger, metrics?: SdkMetrics): void {
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    const { error, workflowId, activityType, taskQueue, sdkComponent } = (meta ?? {}) as Record<
      string,
      unknown
    >
    const fields = { err: error, workflowId, activityType, taskQueue }
    if (level === 'ERROR') log.error(fields, message)
    // The SDK warns about workers without workflows, which the workers of channels are.
    else if (sdkComponent === 'worker') log.debug(fields, message)
    else log.warn(fields, message)
  })
  const filter = makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' })
  Runtime.install({
    logger,
    shutdownSignals: [],
    telemetryOptions: { logging: { filter, forward: {} }, ...(metrics && { metrics: metrics.exporter }) },
  })
}
