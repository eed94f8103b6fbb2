import { apiService, simulatorService, workerService } from '../../dev/services.ts'
import { bindEvents, signedEvent } from '../b4/event.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { inParallel } from '../parallel.ts'
import { insertPeople } from '../people.ts'
import type { Measured } from '../result.ts'
import { alternate } from '../rounds.ts'
import type { Stopwatch } from '../stopwatch.ts'
import { drain } from './drain.ts'
import { measureFloor } from './floor.ts'

/** Measures draining a backlog of events about one person each, until all are sent. */
export async function measureB5(events: number): Promise<Measured> {
  const installation = await openInstallation()
  try {
    await insertPeople(installation, events, false)
    const { environment } = installation
    const variables = { ...environment.variables, RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_SECOND: '0' }
    await installation.start(simulatorService(environment))
    await installation.start(apiService({ ...environment, variables }))
    await bindEvents(installation)
    const rounds = await alternate(
      () => measureFloor(installation, events),
      (nth) => measureOurs(installation, events, nth),
    )
    return {
      rounds,
      notes: [
        `${events} events a round about one person each, received over HTTP with no worker running, then drained`,
        'the floor likewise: started with no worker running, then drained',
      ],
    }
  } finally {
    await installation.close()
  }
}

async function measureOurs(installation: BenchInstallation, events: number, nth: number): Promise<Stopwatch> {
  const since = new Date()
  await inParallel('taking events', events, (n) => raise(installation, n + 1))
  const backlog = { type: 'messageIntent', since, runs: events, what: 'draining' }
  const lap = await drain(installation, backlog, workerService(installation.environment))
  await assertSent(installation, events * nth)
  return lap
}

async function raise({ environment }: BenchInstallation, nth: number): Promise<void> {
  const { path, ...request } = signedEvent(environment.secrets.eventKeys[0]!, nth)
  const answer = await fetch(environment.addresses.api + path, { method: 'POST', ...request })
  const text = await answer.text()
  if (!text.includes('messageId')) throw new Error(`An event made no message: ${answer.status} ${text}`)
}

async function assertSent({ db }: BenchInstallation, events: number): Promise<void> {
  const { sent } = await db
    .selectFrom('wave')
    .select(({ fn }) => fn.sum<string>('sent').as('sent'))
    .executeTakeFirstOrThrow()
  if (Number(sent) !== events) throw new Error(`Only ${sent} of ${events} people were sent to.`)
}
