import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { postgresUrl } from '../../dev/postgres.ts'
import { apiService, simulatorService, workerService } from '../../dev/services.ts'
import { chatLimits } from '../../src/channels/chat/limits.ts'
import { rollUpLag } from '../../src/db/queries/metrics/roll-up.ts'
import { workflowIdOf } from '../../src/domain/run/run-kinds.ts'
import { shareOf } from '../../src/services/outbound/provider-rate.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { type Sent, send, shortMessage, submit } from '../message.ts'
import { chatCategory } from '../names.ts'
import { insertPeople, warmUpPeople, warmUpTag } from '../people.ts'
import { peakMbOf } from '../process-cost.ts'
import type { Measured } from '../result.ts'
import { alternate, type Round } from '../rounds.ts'
import { measureTenthWave } from '../tenth-wave.ts'
import { type Floor, measureFloor } from './floor.ts'

const memoryMb = 400
const historyEvents = 2_000
/** At half the rate that a wave reached: its time between its first call and its last, to what that rate allows. */
const mostAtHalf = 1 / 0.95
const lookEveryMs = 100

/** `callsPerSecond`: between the first call and the last. */
type Ours = Sent & { events: number; callsPerSecond: number }

/** Measures one message by chat, with consent, preference and address checked, from approve to sent. */
export async function measureB2(people: number): Promise<Measured> {
  const installation = await openInstallation()
  try {
    await insertPeople(installation, people, true)
    await setRate(installation, null)
    const copy = await copyDatabase(installation)
    await installation.start(simulatorService(installation.environment))
    await installation.start(apiService(installation.environment))
    const worker = await installation.start(workerService(installation.environment))
    await warmUp(installation)
    const startedMb = peakMbOf(worker.pid)
    const rounds = await alternate(
      async () => {
        await tidy(installation, copy)
        return measureFloor(installation, copy, people)
      },
      async () => {
        await tidy(installation, copy)
        return measureOurs(installation, people)
      },
    )
    for (const round of rounds) assertSame(round)
    const workerMb = peakMbOf(worker.pid)
    const events = Math.max(...rounds.map(({ ours }) => ours.events))
    const { sent } = rounds[0]!.ours
    const half = Math.max(...rounds.map(({ ours }) => ours.callsPerSecond)) / 2
    await setRate(installation, half)
    await tidy(installation, copy)
    const slow = await measureOurs(installation, people)
    await setRate(installation, null)
    const tenth = await measureTenthWave([], 'person', () => measureOurs(installation, people))
    return {
      rounds,
      beside: [
        { what: 'worker, peak memory', figure: workerMb, unit: 'MB', atMost: memoryMb },
        { what: 'of which it had before the first round', figure: startedMb, unit: 'MB' },
        { what: 'history', figure: events, unit: 'events', atMost: historyEvents },
        {
          what: `at ${half.toFixed(0)} calls a second, half of what it reached: first call to last, to what they take at that rate`,
          figure: half / slow.callsPerSecond,
          unit: '×',
          atMost: mostAtHalf,
        },
        ...tenth,
      ],
      notes: [`${people.toLocaleString('en')} people a round, ${sent.toLocaleString('en')} of them sent`],
    }
  } finally {
    await installation.close()
  }
}

/**
 * Sets the provider's rate (calls a second). None: the bucket is always full, so that the rate is not measured. A lower one
 * than the provider's: a lease, and a full bucket, are as many more tokens. Calls are leased either way.
 */
async function setRate({ db }: BenchInstallation, rate: number | null): Promise<void> {
  const { multicast } = chatLimits.callsPerSecond
  const lease = rate === null ? 0 : (shareOf(multicast) * multicast) / rate
  const filled = `coalesce(old.tokens + extract(epoch from new.at - old.at) * ${multicast}, ${lease})`
  await sql`
    create or replace function bench_bucket() returns trigger language plpgsql
    as ${sql.lit(`begin new.tokens := least(${lease}, ${filled}) - ${lease}; return new; end`)}`.execute(db)
  await sql`
    create or replace trigger bench_bucket before insert or update on provider_rate
    for each row execute function bench_bucket()`.execute(db)
}

/** Copies the database file by file, so that both sides start alike. No process may be connected yet. */
async function copyDatabase({ environment, plainly }: BenchInstallation): Promise<string> {
  const at = { port: environment.settings.ports.postgres, password: environment.secrets.postgresPassword }
  await plainly(postgresUrl(at, 'postgres'), async (client) => {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'carillon' and pid <> pg_backend_pid()`,
    )
    await client.query('create database floor template carillon strategy file_copy')
  })
  return postgresUrl(at, 'floor')
}

async function warmUp(installation: BenchInstallation): Promise<void> {
  const message = shortMessage(chatCategory, { kind: 'query', tags: [warmUpTag] })
  await send(installation, await submit(installation, message), warmUpPeople)
}

/**
 * Waits until the wave of an earlier lap is rolled up, and vacuums both databases, so that neither side pays for what an
 * earlier lap left.
 */
async function tidy({ environment, plainly, db }: BenchInstallation, copy: string): Promise<void> {
  while ((await rollUpLag(db)) > 0) await sleep(lookEveryMs)
  for (const url of [environment.addresses.databaseUrl, copy])
    await plainly(url, (client) => client.query('vacuum analyze delivery'))
  await plainly(copy, (client) => client.query('checkpoint'))
}

async function measureOurs(installation: BenchInstallation, people: number): Promise<Ours> {
  const id = await submit(installation, shortMessage(chatCategory, { kind: 'all' }))
  const sent = await send(installation, id, people)
  return {
    ...sent,
    events: await eventsOf(installation, id),
    callsPerSecond: await callRateOf(installation, id),
  }
}

async function callRateOf({ db }: BenchInstallation, id: string): Promise<number> {
  const { rows } = await sql<{ rate: number }>`
    select ((count(*) - 1) / extract(epoch from max(first_try_at) - min(first_try_at)))::float8 as rate
    from wave join call on call.wave_id = wave.id where message_id = ${id}`.execute(db)
  return rows[0]!.rate
}

/** Counts the events of all runs of the message, which continue as new. */
async function eventsOf({ client }: BenchInstallation, id: string): Promise<number> {
  await client.workflow.getHandle(workflowIdOf('message', id)).result()
  let events = 0
  for await (const run of client.workflow.list({ query: `WorkflowId = '${workflowIdOf('message', id)}'` }))
    events += run.historyLength
  return events
}

/** Both sides must have written the same rows to be comparable. */
function assertSame({ ours, floor }: Round<Floor, Ours>): void {
  const [one, other] = [ours, floor].map(({ sent, skipped }) => ({ sent, skipped }))
  if (isDeepStrictEqual(one, other)) return
  throw new Error(`Carillon wrote ${JSON.stringify(one)}, the floor ${JSON.stringify(other)}.`)
}
