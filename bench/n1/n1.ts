import { setTimeout as sleep } from 'node:timers/promises'
import { apiService, simulatorService, workerService } from '../../dev/services.ts'
import type { JournalItem } from '../../dev/simulator/journal.ts'
import { bindEvents, signedEvent } from '../b4/event.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { chatAddressOf, insertPeople } from '../people.ts'
import { progress } from '../progress.ts'
import type { Measured } from '../result.ts'
import { alternate } from '../rounds.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'
import { setUpNeighbour } from './neighbour.ts'

/** People of the other unit, each with a run; those after them get the single messages. */
const neighbours = 200
const lookEveryMs = 5
const timeoutMs = 5 * 60_000

/**
 * Measures single messages of a unit, one after the other, from the event to the provider's journal: alone, and beside the
 * costly texts of another unit. The seconds of a lap are the median of one message.
 */
export async function measureN1(messages: number): Promise<Measured> {
  const installation = await openInstallation()
  try {
    await insertPeople(installation, neighbours + messages, false)
    const { environment } = installation
    const variables = { ...environment.variables, RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_SECOND: '0' }
    await installation.start(simulatorService(environment))
    await installation.start(apiService({ ...environment, variables }))
    await installation.start(workerService(environment))
    await bindEvents(installation)
    const neighbour = await setUpNeighbour(installation)
    await oneByOne(installation, Math.min(messages, 10))
    const alone: number[] = []
    const beside: number[] = []
    const rounds = await alternate(
      () => oneByOne(installation, messages, alone),
      async () => {
        const stop = await neighbour.begin(neighbours)
        const lap = await oneByOne(installation, messages, beside)
        await stop()
        return lap
      },
    )
    const figure = (what: string, took: number[], share: number) => ({
      ...{ what, unit: 'ms' },
      figure: percentile(took, share) * 1_000,
    })
    return {
      rounds,
      beside: [
        figure('alone, p50', alone, 0.5),
        figure('beside the other unit, p50', beside, 0.5),
        figure('beside the other unit, p99', beside, 0.99),
      ],
      notes: [
        `${messages} events a round about one person each, the next one once the provider has the last`,
        `the other unit starts ${neighbours} runs that say three costly texts, and simulates ten at a time`,
      ],
    }
  } finally {
    await installation.close()
  }
}

async function oneByOne(
  installation: BenchInstallation,
  messages: number,
  all: number[] = [],
): Promise<Stopwatch> {
  const lap = startStopwatch(installation)
  const shown = progress('single messages', messages)
  const took: number[] = []
  let since = await endOf(installation)
  for (let n = 1; n <= messages; n++) {
    const begun = performance.now()
    await raise(installation, neighbours + n)
    since = await untilAccepted(installation, chatAddressOf(neighbours + n), since)
    took.push((performance.now() - begun) / 1_000)
    shown.to(n)
  }
  shown.end()
  all.push(...took)
  return { ...lap(messages), seconds: percentile(took, 0.5) }
}

async function raise({ environment }: BenchInstallation, nth: number): Promise<void> {
  const { path, ...request } = signedEvent(environment.secrets.eventKeys[0]!, nth)
  const answer = await fetch(environment.addresses.api + path, { method: 'POST', ...request })
  const text = await answer.text()
  if (!text.includes('messageId')) throw new Error(`An event made no message: ${answer.status} ${text}`)
}

/** Waits until the provider has accepted a call to the address; returns from where to read on. */
async function untilAccepted(installation: BenchInstallation, to: string, from: number): Promise<number> {
  const deadline = Date.now() + timeoutMs
  for (let since = from; ; ) {
    const { items, next } = await journal(installation, since)
    since = next
    if (items.some((item) => item.status === 200 && item.to.includes(to))) return since
    if (Date.now() > deadline) throw new Error('A single message was not sent within 5 min.')
    if (items.length === 0) await sleep(lookEveryMs)
  }
}

/** What the provider has received since, and from where to read on. */
async function journal({ environment }: BenchInstallation, since: number) {
  const answer = await fetch(`${environment.addresses.simulator}/journal?since=${since}`)
  return (await answer.json()) as { items: JournalItem[]; next: number }
}

/** The end of the journal. */
async function endOf(installation: BenchInstallation): Promise<number> {
  for (let since = 0; ; ) {
    const { items, next } = await journal(installation, since)
    if (items.length === 0) return next
    since = next
  }
}

function percentile(took: number[], share: number): number {
  return took.toSorted((a, b) => a - b)[Math.ceil(took.length * share) - 1]!
}
