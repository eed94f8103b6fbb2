import { apiService, mailboxService, workerService } from '../../dev/services.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { type Sent, send, shortMessage, submit } from '../message.ts'
import { mailCategory } from '../names.ts'
import { insertPeople, warmUpPeople, warmUpTag } from '../people.ts'
import { peakMbOf } from '../process-cost.ts'
import type { Baseline, Measured } from '../result.ts'
import { alternate, type Round } from '../rounds.ts'
import type { Stopwatch } from '../stopwatch.ts'
import { measureTenthWave } from '../tenth-wave.ts'
import { measureFloor } from './floor.ts'
import { type Sink, startSink } from './sink.ts'

/** A sink that uses more of its core (%) than this bounds the figures. */
const sinkAtMost = 90

/** Measures one message by mail, with a row and headers for each recipient, from approve to sent. */
export async function measureB1(people: number): Promise<Measured> {
  const installation = await openInstallation()
  try {
    await insertPeople(installation, people, false)
    const mailbox = await installation.start(mailboxService(installation.environment))
    await installation.start(apiService(installation.environment))
    const worker = await installation.start(workerService(installation.environment))
    const mails = await warmUp(installation, Math.min(people, warmUpPeople))
    await installation.stop(mailbox)
    const sink = await startSink(installation)
    await measureFloor(installation, mails, mails.length) // its sender is not measured cold either
    const rounds = await alternate(
      () => measureFloor(installation, mails, people),
      () => sendThrough(installation, sink, people),
    )
    const ours = rounds.map((round) => round.ours)
    const tenth = await measureTenthWave(ours, 'mail', () => sendThrough(installation, sink, people))
    const bytes = mails.reduce((sum, mail) => sum + mail.length, 0) / mails.length
    return {
      rounds,
      beside: [
        ...sharesOf(rounds),
        ...tenth,
        { what: 'worker, peak memory', figure: peakMbOf(worker.pid), unit: 'MB' },
      ],
      notes: [`${people} mails a round, ${Math.round(bytes)} bytes on average`, `sink: ${sink.what}`],
    }
  } finally {
    await installation.close()
  }
}

/** Sends an unmeasured first message to the mailbox, which stores mails; the floor sends those mails again. */
export async function warmUp(installation: BenchInstallation, people: number): Promise<Buffer[]> {
  const message = shortMessage(mailCategory, { kind: 'query', tags: [warmUpTag] })
  await send(installation, await submit(installation, message), people)
  return newestMails(installation, people)
}

/** The newest mails of the mailbox, as it received them. */
export async function newestMails({ environment }: BenchInstallation, count: number): Promise<Buffer[]> {
  const { mailbox } = environment.addresses
  let next = 0
  for (let since = -1; since !== next; ) {
    since = next
    next = ((await (await fetch(`${mailbox}/journal?since=${since}`)).json()) as { next: number }).next
  }
  const mails: Buffer[] = []
  for (let seq = next - count + 1; seq <= next; seq += 1) {
    const answer = await fetch(`${mailbox}/mails/${seq}/raw`)
    if (!answer.ok) throw new Error(`The mailbox answered ${answer.status} for mail ${seq}.`)
    mails.push(Buffer.from(await answer.arrayBuffer()))
  }
  return mails
}

/** Sends one message by mail to everybody, and checks that the sink has taken all of it. */
export async function sendThrough(
  installation: BenchInstallation,
  sink: Sink,
  people: number,
): Promise<Sent> {
  const id = await submit(installation, shortMessage(mailCategory, { kind: 'all' }))
  const before = sink.mails()
  const sent = await send(installation, id, people)
  const mails = sink.mails() - before
  if (sent.sent !== people || mails !== people)
    throw new Error(`${sent.sent} counted as sent, but the sink accepted ${mails} mails.`)
  return sent
}

/** Shows which process bounds the floor: each has one thread, so at most one core. */
function sharesOf(rounds: Round[]): Baseline[] {
  const percents = (process: 'bench' | 'sink') =>
    rounds.map(({ floor: { cpu, seconds } }: { floor: Stopwatch }) => (cpu[process]! / seconds) * 100)
  return [
    {
      what: 'sink in the floor, at most',
      figure: Math.max(...percents('sink')),
      unit: '% of a core',
      atMost: sinkAtMost,
    },
    { what: "the floor's sender, at least", figure: Math.min(...percents('bench')), unit: '% of a core' },
  ]
}
