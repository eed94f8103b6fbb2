import type { DeliveryParts } from './activities/delivery/index.ts'
import { createActivities } from './activities/index.ts'
import { failureInterceptor } from './activities/interceptor.ts'
import { sendChat } from './channels/chat/send.ts'
import { type Config, readConfig } from './config.ts'
import { endOnSignal, run } from './process.ts'
import { bundleWorkflows } from './runs/bundle.ts'
import { type Crew, keepAtWork } from './runs/crew.ts'
import { type Poker, startPoker } from './runs/poker.ts'
import { returning } from './runs/returned.ts'
import { installRuntime } from './runs/runtime.ts'
import { createWorkers } from './runs/workers.ts'
import { startCallbacks } from './services/callbacks/sweep.ts'
import { startEventSweep, startForgettingSignatures } from './services/events/sweep.ts'
import { startImports } from './services/imports/work.ts'
import { startNotices } from './services/notices/send.ts'
import { startRateSweep } from './services/rate.ts'
import { startRetention } from './services/retention-sweep.ts'
import { type Rounds, startRounds } from './services/rounds.ts'
import { startErasures } from './services/subjects/erase.ts'
import { startWebhooks } from './services/webhooks/sweep.ts'
import { type Wiring, wire } from './wiring.ts'
import { openWorkerDoor, type WorkerDoor } from './worker-door.ts'

/** Set when the process is to end; every lane reads it between batches. */
type Drain = { draining: boolean }

/** How often runs are looked for that were ended in Temporal, ms. */
const returnMs = 5_000

/** What runs side by side in this process. */
type Parts = { crew: Crew; poker: Poker; door: WorkerDoor; sweeps: Rounds[] }

/** The worker process: carries the runs and their steps, and wakes runs that did not look at their row in time. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const wiring = wire(config, 'worker')
  const drain: Drain = { draining: false }
  const crew = await startCrew(config, wiring, drain)
  const poker = startPoker({ ...wiring, ...wiring.services })
  const door = await openWorkerDoor(config, wiring.services.db)
  const sweeps = startSweeps(config, wiring)
  endOnSignal(wiring.services.log, () => end(wiring, drain, { crew, poker, door, sweeps }))
}

/** What is worked off beside the runs: rows that wait for a call, a mail or a look. */
function startSweeps(config: Config, wiring: Wiring): Rounds[] {
  const { services, mail } = wiring
  const { secrets, log } = services
  return [
    startRounds({ log, what: 'ended runs', everyMs: returnMs }, returning({ ...wiring, ...services })),
    startRateSweep(services),
    startEventSweep(services),
    startForgettingSignatures(services),
    startWebhooks(services),
    startImports(services),
    startErasures(services),
    startRetention(services, config),
    ...(mail ? [startNotices({ services, send: mail.send })] : []),
    ...(secrets ? [startCallbacks({ ...services, secrets })] : []),
  ]
}

async function startCrew(config: Config, wiring: Wiring, drain: Drain): Promise<Crew> {
  const { services, chat, mail } = wiring
  installRuntime(services.log)
  const bundle = await bundleWorkflows()
  const senders: DeliveryParts['senders'] = {
    ...(chat && { chat: (call) => sendChat(chat, call) }),
    ...(mail && { email: mail.send }),
  }
  const { main, channel } = createActivities({ services, senders, drain })
  const activities = { main, channels: { ...(chat && { chat: channel }), ...(mail && { email: channel }) } }
  const interceptor = failureInterceptor(services.log)
  const namespace = config.TEMPORAL_NAMESPACE
  return keepAtWork(
    config.TEMPORAL_ADDRESS,
    (connection) => createWorkers({ connection, namespace, bundle, activities, interceptor }),
    services.log,
  )
}

/** Begins nothing any more, and finishes the batches under way. */
async function end({ close }: Wiring, drain: Drain, { crew, poker, door, sweeps }: Parts): Promise<void> {
  drain.draining = true
  await Promise.all([crew.stop(), poker.stop(), ...sweeps.map((sweep) => sweep.stop())])
  await door.close()
  await close()
}

run(main)
