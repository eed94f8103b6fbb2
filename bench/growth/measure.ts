import { setTimeout as sleep } from 'node:timers/promises'
import { apiService, mailboxService, simulatorService } from '../../dev/services.ts'
import { anotherWorker } from '../another-worker.ts'
import { warmUp } from '../b1/b1.ts'
import { startSink } from '../b1/sink.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { approve, send, shortMessage, submit } from '../message.ts'
import { chatCategory, mailCategory } from '../names.ts'
import { insertPeople, uidOf, warmUpPeople, warmUpTag } from '../people.ts'
import { peakMbOf } from '../process-cost.ts'

/**
 * One wave to so many people: people a second by chat and by mail, the fastest of its laps, and the peak memory of the
 * worker (MB).
 */
export type Size = { people: number; chat: number; mail: number; workerMb: number }
/** The same wave by chat with so many workers. */
export type Workers = { workers: number; people: number; chat: number }
/** Ten people alone, and beside a wave to very many: seconds from approve to sent. */
export type Beside = { people: number; wave: number; aloneSeconds: number; besideSeconds: number[] }

/** Sends one message to everybody by chat, and one by mail. */
export async function measureSize(people: number): Promise<Size> {
  return inInstallation(people, async (installation, start) => {
    const [worker] = await start(1)
    const mailbox = await installation.start(mailboxService(installation.environment))
    await warmUp(installation, Math.min(people, warmUpPeople))
    await warmUpChat(installation)
    await installation.stop(mailbox)
    await startSink(installation)
    const chat = await peopleASecond(installation, chatCategory, people)
    const mail = await peopleASecond(installation, mailCategory, people)
    return { people, chat, mail, workerMb: peakMbOf(worker!) }
  })
}

/** Sends one message to everybody by chat with each of these numbers of workers, one number after the other. */
export async function measureWorkers(people: number, numbers: readonly number[]): Promise<Workers[]> {
  return inInstallation(people, async (installation, start) => {
    const measured: Workers[] = []
    let running = 0
    for (const workers of numbers) {
      await start(workers - running)
      running = workers
      await warmUpChat(installation)
      measured.push({ workers, people, chat: await peopleASecond(installation, chatCategory, people) })
    }
    return measured
  })
}

/** How often ten people are sent to while the wave is under way, and how far apart (ms). */
const tries = 5
const apartMs = 2_500
const few = 10

/** Sends to ten people, alone and while a message to everybody is under way. */
export async function measureBeside(people: number): Promise<Beside> {
  return inInstallation(people, async (installation, start) => {
    await start(1)
    await warmUpChat(installation)
    const uids = Array.from({ length: few }, (_, n) => uidOf(n + 5)) // the first four are exceptions
    const ten = async () => {
      const id = await submit(installation, shortMessage(chatCategory, { kind: 'individual', uids }))
      return (await send(installation, id, few)).seconds
    }
    const alone = [await ten(), await ten(), await ten()].sort((one, other) => one - other)
    const wave = await submit(installation, shortMessage(chatCategory, { kind: 'all' }))
    await approve(installation, wave)
    const besideSeconds: number[] = []
    for (let n = 0; n < tries; n += 1) {
      await sleep(apartMs)
      besideSeconds.push(await ten())
    }
    return { people: few, wave: people, aloneSeconds: alone[1]!, besideSeconds }
  })
}

type StartWorkers = (count: number) => Promise<number[]>

async function inInstallation<Result>(
  people: number,
  measure: (installation: BenchInstallation, start: StartWorkers) => Promise<Result>,
): Promise<Result> {
  const installation = await openInstallation()
  try {
    const { environment } = installation
    await insertPeople(installation, people, true)
    await installation.start(simulatorService(environment))
    await installation.start(apiService(environment))
    let started = 0
    return await measure(installation, async (count) => {
      const pids: number[] = []
      for (let n = 0; n < count; n += 1) {
        started += 1
        pids.push((await installation.start(await anotherWorker(environment, started))).pid)
      }
      return pids
    })
  } finally {
    await installation.close()
  }
}

async function warmUpChat(installation: BenchInstallation): Promise<void> {
  const message = shortMessage(chatCategory, { kind: 'query', tags: [warmUpTag] })
  await send(installation, await submit(installation, message), warmUpPeople)
}

/** So many people are sent to in all laps of a size together: what is soon over is measured more than once. */
const peopleInLaps = 600_000
const lapsAtMost = 3

/** The fastest of the laps. */
async function peopleASecond(
  installation: BenchInstallation,
  category: string,
  people: number,
): Promise<number> {
  const laps = Math.min(lapsAtMost, Math.max(1, Math.floor(peopleInLaps / people)))
  let fastest = 0
  for (let lap = 0; lap < laps; lap += 1) {
    const id = await submit(installation, shortMessage(category, { kind: 'all' }))
    fastest = Math.max(fastest, people / (await send(installation, id, people)).seconds)
  }
  return fastest
}
