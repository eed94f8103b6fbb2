import { DefaultLogger, NativeConnection, Runtime, type Worker } from '@temporalio/worker'
import pino from 'pino'
import { failureInterceptor } from '../../../src/activities/interceptor.ts'
import { lookActivities } from '../../../src/activities/look.ts'
import { moveActivities } from '../../../src/activities/moves.ts'
import { bundleWorkflows } from '../../../src/runs/bundle.ts'
import { createPoke, type Poke, type PokeParts } from '../../../src/runs/poke.ts'
import { type Poker, startPoker } from '../../../src/runs/poker.ts'
import { createReach } from '../../../src/runs/reach.ts'
import { registerSearchAttributes } from '../../../src/runs/search-attributes.ts'
import { openTemporal, type Temporal } from '../../../src/runs/temporal.ts'
import { createWorkers } from '../../../src/runs/workers.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { freshNamespace } from '../../harness/namespace.ts'
import { fakeDelivery, type Provider } from './fake-delivery.ts'

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
const bundle = bundleWorkflows(new DefaultLogger('ERROR'))

/** Real Postgres, real Temporal, real runs; only the delivery's steps are stand-ins. */
export type World = {
  database: FreshDatabase
  temporal: Temporal
  provider: Provider
  poke: Poke
  /** Everything that was logged, line by line. */
  logged: string[]
  parts: PokeParts
  startWorker(options?: { maxCachedWorkflows?: number }): Promise<RunningWorker>
  close(): Promise<void>
}
export type RunningWorker = { poker: Poker; stop(): Promise<void> }

export async function openWorld(): Promise<World> {
  const [database, place] = await Promise.all([freshDatabase(), freshNamespace()])
  const logged: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) })
  const temporal = openTemporal(place)
  const reach = createReach(() => registerSearchAttributes(temporal), log)
  const parts = { db: database.db, temporal, reach, log }
  const provider: Provider = { batches: 6, sliceMs: 20, sent: [] }
  const running = new Set<RunningWorker>()

  async function startWorker(options: { maxCachedWorkflows?: number } = {}): Promise<RunningWorker> {
    const connection = await NativeConnection.connect({ address: place.address })
    const { sendSlice, express, ...main } = fakeDelivery(database.db, provider)
    const workers = await createWorkers({
      ...{ connection, namespace: place.namespace, bundle: await bundle },
      activities: {
        main: { ...lookActivities(parts), ...moveActivities(parts), ...main },
        channels: { chat: { sendSlice, express } },
      },
      interceptor: failureInterceptor(log),
      ...options,
    })
    const done = Promise.all(workers.map((worker) => worker.run()))
    const poker = startPoker(parts)
    const worker: RunningWorker = {
      poker,
      async stop() {
        if (!running.delete(worker)) return
        await poker.stop()
        for (const each of workers) stopOnce(each)
        await done
        await connection.close()
      },
    }
    running.add(worker)
    return worker
  }

  return {
    ...{ database, temporal, provider, logged, parts, startWorker },
    poke: createPoke(parts),
    async close() {
      for (const worker of [...running]) await worker.stop()
      await temporal.close()
      await database.drop()
    },
  }
}

function stopOnce(worker: Worker): void {
  if (worker.getState() === 'RUNNING') worker.shutdown()
}
