import { postgresUrl } from '../../dev/postgres.ts'
import { apiService, simulatorService, workerService } from '../../dev/services.ts'
import { messageRunId } from '../../src/domain/run-names.ts'
import { bracket, floorsNote } from '../bracket.ts'
import { type Sent, send, shortMessage, submit } from '../message.ts'
import { chatCategory } from '../names.ts'
import { plant, warmUpPeople, warmUpTag } from '../people.ts'
import { costOf } from '../process-cost.ts'
import type { Measured } from '../result.ts'
import { openWorld, type World } from '../world.ts'
import { type Floor, measureFloor } from './floor.ts'

const memoryMb = 400
const historyEvents = 2_000

type Ours = Sent & {
  workerMb: number
  startedMb: number
  workerCpu: number
  providerCpu: number
  events: number
}

/** One message on chat to so many people, with consent, preference and address checked: approve to sent. */
export async function measureB2(people: number): Promise<Measured> {
  const world = await openWorld()
  try {
    await plant(world, people, true)
    const copies = [await copyDatabase(world, 'floor_1'), await copyDatabase(world, 'floor_2')] as const
    const results: Floor[] = []
    const floorOf = async (nth: 1 | 2) => {
      const url = copies[nth - 1]!
      results.push(await world.plainly(url, (client) => measureFloor(client, url)))
      return results.at(-1)!.seconds
    }
    const { ours, floor, floors } = await bracket(floorOf, () => measureOurs(world, people))
    for (const { sent, skipped } of results) assertSame(ours, { sent, skipped })
    return {
      ...{ figure: ours.seconds, floor },
      beside: [
        { what: 'worker, peak memory', figure: ours.workerMb, unit: 'MB', atMost: memoryMb },
        { what: 'of which it had before the wave', figure: ours.startedMb, unit: 'MB' },
        { what: 'history', figure: ours.events, unit: 'events', atMost: historyEvents },
        { what: 'CPU of the worker', figure: ours.workerCpu, unit: 's' },
        { what: 'CPU of the simulator, of which the floor has none', figure: ours.providerCpu, unit: 's' },
      ],
      notes: [
        `${people.toLocaleString('en')} people, of whom ${ours.sent.toLocaleString('en')} are sent to`,
        floorsNote(floors, 's'),
      ],
    }
  } finally {
    await world.close()
  }
}

async function measureOurs(world: World, people: number): Promise<Ours> {
  const simulator = await world.start(simulatorService(world.environment))
  await world.start(apiService(world.environment))
  const worker = await world.start(workerService(world.environment))
  const warmUp = shortMessage(chatCategory, { kind: 'query', tags: [warmUpTag] })
  await send(world, await submit(world, warmUp), warmUpPeople)
  const id = await submit(world, shortMessage(chatCategory, { kind: 'all' }))
  await world.plainly(world.environment.addresses.databaseUrl, (client) => client.query('checkpoint'))

  const before = { worker: costOf(worker.pid), simulator: costOf(simulator.pid) }
  const sent = await send(world, id, people)
  const after = { worker: costOf(worker.pid), simulator: costOf(simulator.pid) }
  const events = await eventsOf(world, id)
  for (const child of [worker, simulator]) await world.stop(child)
  return {
    ...{ ...sent, events, workerMb: after.worker.peakMb, startedMb: before.worker.peakMb },
    workerCpu: after.worker.cpuSeconds - before.worker.cpuSeconds,
    providerCpu: after.simulator.cpuSeconds - before.simulator.cpuSeconds,
  }
}

/** A database of the same rows in the same places, so that both begin alike. Nobody may be connected to the first. */
async function copyDatabase({ environment, plainly }: World, name: string): Promise<string> {
  const at = { port: environment.settings.ports.postgres, password: environment.secrets.postgresPassword }
  await plainly(postgresUrl(at, 'postgres'), async (client) => {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'carillon' and pid <> pg_backend_pid()`,
    )
    await client.query(`create database ${name} template carillon strategy file_copy`)
  })
  return postgresUrl(at, name)
}

/** Over all runs of the message, as one history goes on in the next. */
async function eventsOf({ client }: World, id: string): Promise<number> {
  await client.workflow.getHandle(messageRunId(id)).result()
  let events = 0
  for await (const run of client.workflow.list({ query: `WorkflowId = '${messageRunId(id)}'` }))
    events += run.historyLength
  return events
}

/** The two have written the same rows, or they cannot be compared. */
function assertSame(ours: Sent, floor: Pick<Floor, 'sent' | 'skipped'>): void {
  const skipped = Object.values(ours.skipped).reduce((sum, n) => sum + n, 0)
  if (ours.sent === floor.sent && skipped === floor.skipped) return
  throw new Error(
    `Ours: ${ours.sent} sent, ${skipped} skipped; the floor: ${floor.sent} and ${floor.skipped}.`,
  )
}
