import { DefaultLogger, type NativeConnection, Runtime } from '@temporalio/worker'
import pino from 'pino'
import { failureInterceptor } from '../../../src/activities/interceptor.ts'
import { lookActivities } from '../../../src/activities/look.ts'
import { moveActivities } from '../../../src/activities/moves.ts'
import { type Running, startTask } from '../../../src/background/start.ts'
import { runWake } from '../../../src/background/tasks.ts'
import type { Db } from '../../../src/db/connect.ts'
import { bundleWorkflows } from '../../../src/runs/bundle.ts'
import { keepAtWork } from '../../../src/runs/crew.ts'
import { createPoke, type Poke, type PokeParts } from '../../../src/runs/poke.ts'
import { createReach } from '../../../src/runs/reach.ts'
import { registerSearchAttributes } from '../../../src/runs/search-attributes.ts'
import { openTemporal, type Temporal } from '../../../src/runs/temporal.ts'
import { createWorkers } from '../../../src/runs/workers.ts'
import { fakeDelivery, type Provider } from './fake-delivery.ts'

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
const bundle = bundleWorkflows()

/** Where a world stands: a database of today's schema, and a namespace of a Temporal server. */
export type Place = { db: Db; address: string; namespace: string }

/** Real Postgres, real Temporal, real runs; only the delivery's steps are stand-ins. */
export type World = {
  db: Db
  temporal: Temporal
  provider: Provider
  poke: Poke
  /** Everything that was logged, line by line. */
  logged: string[]
  parts: PokeParts
  startWorker(options?: WorkerOptions): Promise<RunningWorker>
  close(): Promise<void>
}
export type WorkerOptions = {
  maxCachedWorkflows?: number
  /** Changes the code of the workflows, as a bad release would. */
  spoil?: (code: string) => string
}
export type RunningWorker = { poker: Running; stop(): Promise<void> }

export function buildWorld(place: Place): World {
  const { db } = place
  const logged: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) })
  const temporal = openTemporal(place)
  const reach = createReach(() => registerSearchAttributes(temporal), log)
  const parts = { db, temporal, reach, log }
  const provider: Provider = {
    batches: 6,
    sliceMs: 20,
    mayPass: Number.POSITIVE_INFINITY,
    underWay: 0,
    sent: [],
  }
  const running = new Set<RunningWorker>()

  async function startWorker({ spoil, ...options }: WorkerOptions = {}): Promise<RunningWorker> {
    const { sendSlice, express, ...main } = fakeDelivery(db, provider)
    const code = (spoil ?? same)((await bundle).code)
    const make = (connection: NativeConnection) =>
      createWorkers({
        ...{ connection, namespace: place.namespace, bundle: { code } },
        activities: {
          main: { ...lookActivities(parts), ...moveActivities(parts), ...main },
          channels: { chat: { sendSlice, express } },
        },
        interceptor: failureInterceptor(log),
        ...options,
      })
    const crew = keepAtWork(place.address, make, log)
    const poker = startTask(runWake(parts), log)
    const worker: RunningWorker = {
      poker,
      async stop() {
        running.delete(worker)
        await Promise.all([crew.stop(), poker.stop()])
      },
    }
    running.add(worker)
    return worker
  }

  return {
    ...{ db, temporal, provider, logged, parts, startWorker },
    poke: createPoke(parts),
    async close() {
      for (const worker of [...running]) await worker.stop()
      await temporal.close()
    },
  }
}

const same = (code: string) => code
