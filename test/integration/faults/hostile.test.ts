import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../../../dev/ports.ts'
import { limits } from '../../../src/contract/limits.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { inFullCounts } from '../../harness/timeouts.ts'
import { countsOf, patient } from './counts.ts'
import { forgetMemory, largestMemory, longestLoopDelay } from './world/footprint.ts'
import { handmadeLimits, type Make } from './world/hostile/by-hand.ts'
import {
  type HostileCaller,
  type HostileRequest,
  servesEverything,
  setUpHostileCaller,
} from './world/hostile/caller.ts'
import { dishonestOf, type Outcome, sendAll } from './world/hostile/connections.ts'
import { tableLimits } from './world/hostile/from-table.ts'
import { socketLimits } from './world/hostile/sockets.ts'
import { type Api, startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { recordMeasurement } from './world/measurements.ts'
import { type Neighbour, percentile, type Sample, startNeighbour } from './world/neighbour.ts'
import { insertCrowd } from './world/people.ts'

const people = 10_000
const connections = 20
/** Between two requests of the well-behaved caller: a quarter of what the API allows one caller. */
const everyMs = 40
/** Bytes of a body around a value that takes all the room. */
const around = 10_000
/** Times as many edges of what is known to cost most. */
const costliest = 6
/** Its responses during each limit, at least. */
const answers = 25

let api: Api
let metrics: string
let caller: HostileCaller
let neighbour: Neighbour
let uids: string[]
const installation = forFile(startInstallation)
beforeAll(async () => {
  const metricsPort = String(await freePort())
  api = await installation.startApi({ ...servesEverything, METRICS_PORT: metricsPort }, deployedNodeArgs())
  metrics = `http://127.0.0.1:${metricsPort}/metrics`
  await installation.startWorker()
  const { tag, recipients } = await insertCrowd(installation.db, people)
  uids = recipients.map((_, n) => `${tag}-${n + 1}`)
  caller = await setUpHostileCaller(installation, api)
  neighbour = startNeighbour({ url: api.url, key: installation.credentials.key, tag, everyMs })
  await neighbour.untilAnswered(answers)
})
afterAll(async () => {
  await neighbour?.stop()
})

/** What docker-compose.yml gives Node for the API: `[node, …, src/server.ts]`. */
function deployedNodeArgs(): string[] {
  const compose = readFileSync(resolve(import.meta.dirname, '../../../docker-compose.yml'), 'utf8')
  return parse(compose).services['api-1'].command.slice(1, -1)
}

type Measured = {
  limit: string
  outcomes: Outcome[]
  samples: Sample[]
  mib: number | undefined
  delayMs: number
}
const all: Measured[] = []

async function send(limit: string, requests: HostileRequest[]): Promise<void> {
  await measure(limit, () => sendAll(api.url, requests, connections))
}

/** Measures the API and the well-behaved caller while a hostile one is at one limit. */
async function measure(limit: string, abuse: () => Promise<Outcome[]>): Promise<void> {
  forgetMemory(api.process.pid)
  await longestLoopDelay(metrics)
  const first = neighbour.samples.length
  const [outcomes] = await Promise.all([abuse(), neighbour.untilAnswered(answers)])
  const measured = {
    ...{ limit, outcomes, samples: neighbour.samples.slice(first) },
    mib: largestMemory(api.process.pid),
    delayMs: await longestLoopDelay(metrics),
  }
  all.push(measured)
  const slowest = outcomes.toSorted((a, b) => b.ms - a.ms)[0]
  process.stdout.write(`  ${limit}: ${wordsOf([measured])}; slowest: ${slowest?.name}, ${slowest?.ms} ms\n`)
  expect(await dishonestOf(api.url, outcomes)).toEqual([])
  const served = ({ status, putOff }: Sample) =>
    status < 300 && status >= 200 && (putOff === 0 || !inFullCounts)
  expect(measured.samples.filter((sample) => !served(sample))).toEqual([])
}

function wordsOf(measured: Measured[]): string {
  const samples = measured.flatMap((one) => one.samples)
  const outcomes = measured.flatMap((one) => one.outcomes)
  const put = samples.reduce((sum, { putOff }) => sum + putOff, 0)
  const classes = Map.groupBy(outcomes, ({ status }) =>
    status === 0 ? 'unanswered' : `${Math.floor(status / 100)}xx`,
  )
  const byClass = [...classes].sort().map(([name, of]) => `${of.length} ${name}`)
  const ms = (share: number) => Math.round(percentile(samples, share))
  return (
    `${samples.length} requests of the other, p50 ${ms(0.5)} ms, p99 ${ms(0.99)} ms, ${put} put off by 503; ` +
    `of the hostile ${byClass.join(', ')}; ` +
    `API at most ${Math.max(...measured.map(({ mib }) => mib ?? 0))} MiB, ` +
    `event loop delayed by at most ${Math.max(...measured.map(({ delayMs }) => delayMs))} ms`
  )
}

describe('a hostile caller stops nobody else', patient, () => {
  const { rounds, 'edges each': edges, 'KiB a body': kib } = countsOf('hostile')
  const room = 1_024 * kib - around

  it.each(Object.entries(tableLimits))('at the limits of every operation: %s', async (limit, requests) => {
    for (let round = 0; round < rounds; round++)
      await send(limit, someOfEach(requests(caller, { round, room }), edges, round))
  })

  it.each(Object.entries(handmadeLimits))('at the limits of what costs most: %s', async (limit, prepare) => {
    for (let round = 0; round < rounds; round++) {
      const requests = await prepare(caller, make, uids, room)
      await send(limit, someOfEach(requests, costliest * edges, round))
    }
  })

  it.each(Object.entries(socketLimits))('at the limits of connections: %s', async (limit, abuse) => {
    for (let round = 0; round < rounds; round++)
      await measure(limit, () => abuse(api.url, caller, connections, () => neighbour.untilAnswered(answers)))
  })

  it('and leaves every row and log as it should be', async () => {
    await neighbour.stop()
    await eventually(() => expectInvariants(installation), { limitMs: 20_000 })
    recordMeasurement('hostile', wordsOf(all))
  })
})

/** Of each operation's requests so many, spread over all of them. */
function someOfEach(requests: Iterable<HostileRequest>, count: number, round: number): HostileRequest[] {
  return [...Map.groupBy(requests, ({ operation }) => operation).values()].flatMap((each, at) => {
    const step = Math.ceil(each.length / count)
    return each.filter((_, n) => (n + at + round) % step === 0)
  })
}

/** Makes an object of the hostile caller; undefined if it is refused. */
const make: Make = async (id, body) => {
  const operation = caller.operations.find((one) => one.id === id)!
  const raw = JSON.stringify(body)
  if (raw.length > limits.bodyBytes) return undefined // it is refused while it is being sent
  const { method, path, headers } = caller.request(operation, 'prepared', { body: () => raw })
  const response = await fetch(api.url + path, { method, headers, body: raw })
  return ((await response.json()) as { id?: string }).id
}
