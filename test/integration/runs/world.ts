import { DefaultLogger, NativeConnection, Runtime, type Worker } from '@temporalio/worker'
import pino from 'pino'
import { failureInterceptor } from '../../../src/activities/interceptor.ts'
import { lookActivities } from '../../../src/activities/look.ts'
import { moveActivities } from '../../../src/activities/moves.ts'
import type { Db } from '../../../src/db/connect.ts'
import { bundleWorkflows } from '../../../src/runs/bundle.ts'
import { createPoke, type Poke, type PokeParts } from '../../../src/runs/poke.ts'
import { type Poker, startPoker } from '../../../src/runs/poker.ts'
import { createReach } from '../../../src/runs/reach.ts'
import { registerSearchAttributes } from '../../../src/runs/search-attributes.ts'
import { openTemporal, type Temporal } from '../../../src/runs/temporal.ts'
import { createWorkers } from '../../../src/runs/workers.ts'
import { fakeDelivery, type Provider } from './fake-delivery.ts'

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
const bundle = bundleWorkflows(new DefaultLogger('ERROR'))

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
export type RunningWorker = { poker: Poker; stop(): Promise<void> }

export function buildWorld(place: Place): World {
  const { db } = place
  const logged: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) })
  const temporal = openTemporal(place)
  const reach = createReach(() => registerSearchAttributes(temporal), log)
  const parts = { db, temporal, reach, log }
  const provider: Provider = { batches: 6, sliceMs: 20, sent: [] }
  const running = new Set<RunningWorker>()

  async function startWorker({ spoil, ...options }: WorkerOptions = {}): Promise<RunningWorker> {
    const connection = await NativeConnection.connect({ address: place.address })
    const { sendSlice, express, ...main } = fakeDelivery(db, provider)
    const workers = await createWorkers({
      ...{ connection, namespace: place.namespace, bundle: { code: (spoil ?? same)((await bundle).code) } },
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
    ...{ db, temporal, provider, logged, parts, startWorker },
    poke: createPoke(parts),
    async close() {
      for (const worker of [...running]) await worker.stop()
      await temporal.close()
    },
  }
}

const same = (code: string) => code

function stopOnce(worker: Worker): void {
  if (worker.getState() === 'RUNNING') worker.shutdown()
}
