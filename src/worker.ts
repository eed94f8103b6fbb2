import { type Registry, register } from 'prom-client'
import { createActivities } from './activities/index.ts'
import { failureInterceptor } from './activities/interceptor.ts'
import { traceInterceptor } from './activities/traces.ts'
import { pollLoop, type RunningTask } from './background/poll-loop.ts'
import { backgroundTasks } from './background/tasks.ts'
import { sendersOf } from './channels/connections.ts'
import { type Config, readConfig } from './config.ts'
import { requireMigrations } from './db/migrate.ts'
import { registerProcessMetrics } from './metrics/process.ts'
import { registerRowMetrics } from './metrics/rows.ts'
import { type MetricsServer, startMetricsServer } from './metrics/server.ts'
import { openSdkMetrics, type SdkMetrics } from './metrics/temporal-sdk.ts'
import { logStart, runProcess, shutDownOnSignal } from './process.ts'
import { bundleWorkflows, type ReleasedBundle } from './temporal/bundle.ts'
import { createWorkers, installRuntime, type RunningWorkers, runWorkers } from './temporal/workers.ts'
import { startTracing } from './tracing/start.ts'
import { type Wiring, wire } from './wiring.ts'

/** Set when the process is to shut down; every lane reads it between batches. */
type Drain = { draining: boolean }

/** What runs in parallel in this process. */
type Parts = { workers: RunningWorkers; metricsServer: MetricsServer; background: RunningTask[] }

/** The worker process: runs workflows, activities and the background tasks (src/background). */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const wiring = wire(config, 'worker')
  await startTracing(config, 'worker', wiring.services.log)
  await requireMigrations(wiring.services.db)
  const drain: Drain = { draining: false }
  const bundle = await bundleWorkflows()
  logStart(wiring.services.log, { release: bundle.release })
  const sdkMetrics = config.METRICS_PORT === undefined ? undefined : await openSdkMetrics()
  const activities = activitiesOf(wiring, drain)
  const cached = config.TEMPORAL_CACHED_RUNS
  const workers = startWorkers(wiring, activities, { bundle, sdkMetrics, maxCachedWorkflows: cached })
  const metricsServer = await startMetricsServer(config, workerMetrics(wiring), sdkMetrics?.read)
  const background = startBackground(config, wiring, activities, bundle)
  shutDownOnSignal(wiring.services.log, () => end(wiring, drain, { workers, metricsServer, background }))
}

/** The activities of this process, and what its background tasks share with them. */
function activitiesOf({ services, connections }: Wiring, drain: Drain): Activities {
  return createActivities({ services, senders: sendersOf(connections), drain })
}

type Activities = ReturnType<typeof createActivities>

function startBackground(
  config: Config,
  wiring: Wiring,
  { sayReply }: Activities,
  { release }: ReleasedBundle,
): RunningTask[] {
  const { services, connections } = wiring
  const runs = { ...wiring, ...services }
  const wedged = { restart: config.RESTART_WEDGED_RUNS, release }
  const tasks = backgroundTasks({
    services,
    runs,
    wedged,
    retention: config,
    sayReply: services.replyChat && sayReply,
    mailSender: connections.email?.sender,
  })
  return tasks.map((task) => pollLoop(task, services.log))
}

function workerMetrics({ services }: Wiring): Registry {
  registerProcessMetrics(register)
  registerRowMetrics(services, register)
  return register
}

type WorkerParts = {
  bundle: ReleasedBundle
  sdkMetrics: SdkMetrics | undefined
  maxCachedWorkflows: number
}

function startWorkers(
  wiring: Wiring,
  { main, channel, lookup }: Activities,
  { sdkMetrics, ...options }: WorkerParts,
): RunningWorkers {
  const { services, temporal, connections } = wiring
  installRuntime(services.log, sdkMetrics)
  const activities = {
    main,
    lookup,
    channels: Object.fromEntries(Object.keys(connections).map((name) => [name, channel])),
  }
  const interceptors = [traceInterceptor(services.db), failureInterceptor(services.db, services.log)]
  return runWorkers(
    temporal.server,
    (connection) =>
      createWorkers({ connection, namespace: temporal.namespace, activities, interceptors, ...options }),
    services.log,
  )
}

/** Starts no further work, and finishes the batches in flight. */
async function end(
  { close }: Wiring,
  drain: Drain,
  { workers, metricsServer, background }: Parts,
): Promise<void> {
  drain.draining = true
  await Promise.all([workers.stop(), ...background.map((task) => task.stop())])
  await metricsServer.close()
  await close()
}

runProcess(main)
