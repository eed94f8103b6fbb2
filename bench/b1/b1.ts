import { join } from 'node:path'
import { startChild, untilReady } from '../../dev/process.ts'
import { apiService, workerService } from '../../dev/services.ts'
import type { Service } from '../../dev/supervisor.ts'
import { bracket, floorsNote } from '../bracket.ts'
import { send, shortMessage, submit } from '../message.ts'
import { mailCategory } from '../names.ts'
import { plant, warmUpPeople, warmUpTag } from '../people.ts'
import { costOf } from '../process-cost.ts'
import type { Measured } from '../result.ts'
import { openWorld, type World } from '../world.ts'
import { measureFloor } from './floor.ts'

/** One message by mail to so many people, each with a row and headers of their own: mails a second, approve to sent. */
export async function measureB1(people: number): Promise<Measured> {
  const world = await openWorld()
  try {
    await plant(world, people, false)
    await world.start(sink(world))
    await world.start(apiService(world.environment))
    const worker = await world.start(workerService(world.environment))
    const warmUp = shortMessage(mailCategory, { kind: 'query', tags: [warmUpTag] })
    await send(world, await submit(world, warmUp), warmUpPeople)
    const sample = Buffer.from(await (await askSink(world, '/last')).arrayBuffer())
    const { smtp } = world.environment.settings.ports
    const { ours, floor, floors } = await bracket(
      () => measureFloor(smtp, sample, people),
      () => measureOurs(world, people, worker.pid),
    )
    return {
      ...{ figure: ours.rate, floor },
      beside: [
        { what: 'worker, peak memory', figure: ours.peakMb, unit: 'MB' },
        { what: 'CPU of the worker', figure: ours.cpuSeconds, unit: 's' },
      ],
      notes: [`${people} mails of ${sample.length} bytes`, floorsNote(floors, '/s')],
    }
  } finally {
    await world.close()
  }
}

async function measureOurs(world: World, people: number, workerPid: number) {
  const id = await submit(world, shortMessage(mailCategory, { kind: 'all' }))
  const before = { mails: await mailsTaken(world), cpu: costOf(workerPid).cpuSeconds }
  const { seconds, sent } = await send(world, id, people)
  const taken = (await mailsTaken(world)) - before.mails
  if (sent !== people || taken !== people) throw new Error(`${sent} counted as sent, ${taken} mails taken.`)
  const { peakMb, cpuSeconds } = costOf(workerPid)
  return { rate: people / seconds, peakMb, cpuSeconds: cpuSeconds - before.cpu }
}

async function mailsTaken(world: World): Promise<number> {
  const { mails } = (await (await askSink(world, '/')).json()) as { mails: number }
  return mails
}

/** The sink listens where `npm start` has its mailbox. */
function sink(world: World): Service {
  const { settings, variables } = world.environment
  const options = {
    ...{ name: 'sink', command: process.execPath, args: [join(import.meta.dirname, 'sink.ts')] },
    ...{ env: variables, logFile: join(settings.dataDir, 'logs', 'sink.log') },
  }
  return {
    name: 'sink',
    start: () => startChild(options),
    ready: (child) => untilReady(child, () => mailsTaken(world), 30_000),
    stopSignal: 'SIGTERM',
    graceMs: 5_000,
  }
}

function askSink({ environment }: World, path: string): Promise<Response> {
  return fetch(environment.addresses.mailbox + path)
}
