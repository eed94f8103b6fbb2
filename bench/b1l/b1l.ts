import { apiService, mailboxService, workerService } from '../../dev/services.ts'
import { anotherWorker } from '../another-worker.ts'
import { newestMails, sendThrough, warmUp } from '../b1/b1.ts'
import { type Sink, startSink } from '../b1/sink.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { insertPeople, warmUpPeople } from '../people.ts'
import type { Measured, Skipped } from '../result.ts'
import { alternate } from '../rounds.ts'
import type { Stopwatch } from '../stopwatch.ts'
import { type Listmonk, startListmonk } from './listmonk.ts'

/**
 * Measures one message by mail beside listmonk, which sends the same number of mails of the same size to the same sink from
 * a Postgres of its own. `LISTMONK_DIR` names a checkout of it, which is built with Go.
 */
export async function measureB1L(people: number): Promise<Measured | Skipped> {
  const checkout = process.env.LISTMONK_DIR
  if (!checkout) return { skipped: 'LISTMONK_DIR names no checkout of listmonk' }
  const installation = await openInstallation()
  try {
    const { environment } = installation
    await insertPeople(installation, people, false)
    const mailbox = await installation.start(mailboxService(environment))
    await installation.start(apiService(environment))
    await installation.start(workerService(environment))
    await installation.start(await anotherWorker(environment, 2))
    const bytes = meanOf(await warmUp(installation, Math.min(people, warmUpPeople)))
    const listmonk = await startListmonk(installation, checkout)
    const { characters, size } = await fitted(installation, listmonk, bytes)
    await listmonk.subscribe(people)
    await installation.stop(mailbox)
    const sink = await startSink(installation)
    await listmonk.send(characters) // its open sessions were with the mailbox: the first mails on these fail
    const rounds = await alternate(
      () => handedOver(listmonk, sink, { characters, people }),
      () => sendThrough(installation, sink, people),
    )
    const sizes = `as received, ours have ${Math.round(bytes)} bytes, those of listmonk ${Math.round(size)}`
    return {
      rounds,
      notes: [
        `${people} mails a round; ${sizes}`,
        'Carillon has two workers, as docker-compose.yml starts it',
        'the floor is listmonk: 32 workers, 50 connections, batches of 1,000, from its start to its last update',
        `sink: ${sink.what}`,
      ],
    }
  } finally {
    await installation.close()
  }
}

/** One campaign; the sink counts, because listmonk's own counter loses a few while it writes them. */
async function handedOver(
  listmonk: Listmonk,
  sink: Sink,
  { characters, people }: { characters: number; people: number },
): Promise<Stopwatch> {
  const before = sink.mails()
  const sent = await listmonk.send(characters)
  const mails = sink.mails() - before
  if (mails !== people) throw new Error(`The sink accepted ${mails} of listmonk's ${people} mails.`)
  return sent
}

const trial = { people: 20, characters: 1_000 }

/** How long the text of a campaign must be for mails of this size, and which size they have then. */
async function fitted(installation: BenchInstallation, listmonk: Listmonk, bytes: number) {
  await listmonk.subscribe(trial.people)
  const sizeWith = async (characters: number) => {
    await listmonk.send(characters)
    return meanOf(await newestMails(installation, trial.people))
  }
  const characters = Math.max(1, Math.round(trial.characters + bytes - (await sizeWith(trial.characters))))
  return { characters, size: await sizeWith(characters) }
}

function meanOf(mails: Buffer[]): number {
  return mails.reduce((sum, mail) => sum + mail.length, 0) / mails.length
}
