import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiService } from '../../dev/services.ts'
import { startFloorServer } from '../http/floor-server.ts'
import { post } from '../http/load.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { insertPeople } from '../people.ts'
import type { Measured } from '../result.ts'
import { alternate } from '../rounds.ts'
import { bindEvents, signedEvent } from './event.ts'

const lookEveryMs = 50
/** Metrics read some twenty tables: they are asked the less often the more wakes are left (ms a wake). */
const waitPerWakeMs = 2
const listedMs = 10_000

/**
 * Measures signed events about one person each. Every event is an approved message when it is answered, and has its run
 * when the clock stops.
 */
export async function measureB4(count: number): Promise<Measured> {
  const installation = await openInstallation()
  try {
    await insertPeople(installation, 1, false)
    const { environment } = installation
    const variables = { ...environment.variables, RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_SECOND: '0' }
    await installation.start(apiService({ ...environment, variables }))
    const bare = await startFloorServer(installation, join(import.meta.dirname, 'floor-server.ts'))
    await bindEvents(installation)
    const load = { status: 202, count }
    const newEvent = () => signedEvent(environment.secrets.eventKeys[0]!)
    let events = 0
    const rounds = await alternate(
      () => post(installation, { ...load, what: 'floor', origin: bare, newRequest: newEvent }),
      () =>
        post(installation, {
          ...{ ...load, what: 'events', origin: environment.addresses.api },
          newRequest: () => {
            events += 1
            return newEvent()
          },
          settled: () => untilWoken(installation, events),
        }),
    )
    await assertApproved(installation, events)
    const missing = await runsMissing(installation, events)
    return {
      rounds,
      beside: [{ what: 'approved messages without a run', figure: missing, unit: 'messages', atMost: 0 }],
      notes: [`${count} events a round over 50 connections, no worker running, the rate limit off`],
    }
  } finally {
    await installation.close()
  }
}

/** Waits until the API has counted one wake, whatever its outcome, for each message. */
async function untilWoken({ environment }: BenchInstallation, events: number): Promise<void> {
  for (;;) {
    const text = await (await fetch(environment.addresses.metrics.api)).text()
    const counts = text.matchAll(/^carillon_wakes_total\{.*\} (\d+)$/gm)
    const left = events - [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
    if (left <= 0) return
    await sleep(Math.max(lookEveryMs, left * waitPerWakeMs))
  }
}

async function assertApproved({ db }: BenchInstallation, events: number): Promise<void> {
  const { approved } = await db
    .selectFrom('message')
    .select(({ fn }) => fn.countAll<number>().as('approved'))
    .where('origin', '=', 'event')
    .where('state', '=', 'approved')
    .executeTakeFirstOrThrow()
  if (Number(approved) !== events)
    throw new Error(`${approved} of ${events} events became approved messages.`)
}

/** Counts messages without a run, because their wake failed. Temporal's list of runs lags, so it retries for 10 s. */
async function runsMissing({ client }: BenchInstallation, events: number): Promise<number> {
  const deadline = performance.now() + listedMs
  for (;;) {
    const { count } = await client.workflow.count(`WorkflowType = 'messageIntent'`)
    if (count >= events || performance.now() > deadline) return events - count
    await sleep(lookEveryMs)
  }
}
