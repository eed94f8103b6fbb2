import { sql } from 'kysely'
import { apiService, workerService } from '../../dev/services.ts'
import { p95Of, type Read, readAll, type Took } from '../http/gets.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { fillLargeUnit, type Originals } from '../large-unit.ts'
import { chatCategory } from '../names.ts'
import { chatAddressOf, insertPeople } from '../people.ts'
import { percentile } from '../percentile.ts'
import type { Baseline, Measured } from '../result.ts'
import { alternate } from '../rounds.ts'

/** People and deliveries for each message of the unit. */
const peopleEach = 5
const deliveriesEach = 50
/** Reads of each list in a round, one after the other. */
const each = 20
/** Reads that are not measured: the first ones prepare their statements. */
const warmUps = 3
/** How much longer 95 of 100 reads of a list may take than those of one message. */
const mostRatio = 3
/** The most that 95 of 100 reads of the API's /metrics may take (ms). */
const mostMetricsMs = 20
/** Somebody who has consented, and has many deliveries. */
const reader = 5

/**
 * Measures lists and details of a unit with this many messages, and the inbox of a person among fifty times as many
 * deliveries; before Postgres has statistics, and with them. The floor reads one message by its key.
 */
export async function measureB9(messages: number): Promise<Measured> {
  const installation = await openInstallation()
  try {
    const { environment, plainly, start } = installation
    const { databaseUrl } = environment.addresses
    await plainly(databaseUrl, async (client) => {
      await client.query('alter system set autovacuum = off')
      await client.query('select pg_reload_conf()')
    })
    await insertPeople(installation, messages * peopleEach, true)
    const variables = { ...environment.variables, RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_SECOND: '0' }
    await start(apiService({ ...environment, variables }))
    const originals = await fillLargeUnit(installation, messages)
    await fillDeliveries(installation, messages * peopleEach)
    const floor = byKeyOf(installation, originals)
    const reads = readsOf(installation, originals)
    const unknown = await measured(installation, floor, reads)
    await plainly(databaseUrl, (client) => client.query('vacuum analyze'))
    const analyzed = await measured(installation, floor, reads)
    const { metrics } = environment.addresses
    const ofApi = await metricsOf(installation, '/metrics of api', metrics.api, mostMetricsMs)
    await start(workerService(environment))
    // Without a bar: it takes turns with the wakes of as many runs as there are messages.
    const ofWorker = await metricsOf(installation, '/metrics of worker, which wakes them', metrics.worker)
    return {
      rounds: analyzed.rounds,
      beside: [...unknown.figures('no statistics'), ...analyzed.figures('with statistics'), ofApi, ofWorker],
      notes: [
        `${messages} messages in the unit, ${messages * peopleEach} people, ${messages * deliveriesEach} deliveries`,
        `${each} of each a round; a list has 50 items`,
      ],
    }
  } finally {
    await installation.close()
  }
}

/** Deliveries of the messages that were sent, spread over all people. */
async function fillDeliveries({ db }: BenchInstallation, people: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`select make_delivery_partition(month::date)
      from generate_series(now() - interval '400 days', now(), interval '1 month') as month`.execute(trx)
    await sql`create temporary table person on commit drop as
      select row_number() over (order by id) - 1 as n, id from subject`.execute(trx)
    await sql`create unique index on person (n)`.execute(trx)
    await sql`
      insert into delivery (wave_id, subject_id, channel, batch, state)
      select wave.id, person.id, 'chat', 0, 'sent'
      from (select id, row_number() over (order by id) as n from wave where state = 'sent') as wave
        cross join generate_series(0, ${deliveriesEach - 1}::int) as k
        join person on person.n = (wave.n * 7919 + k * 104729) % ${people}::int`.execute(trx)
  })
}

function byKeyOf({ credentials }: BenchInstallation, { sent }: Originals): Read {
  return { what: 'by its key', path: `/v1/messages/${sent}`, headers: bearer(credentials.key) }
}

function readsOf({ credentials }: BenchInstallation, { draft, submitted, sent }: Originals): Read[] {
  const year = encodeURIComponent(new Date(Date.now() - 180 * 86_400_000).toISOString())
  const lists: [string, string][] = [
    ['messages', '/v1/messages?limit=50'],
    ['the oldest messages', '/v1/messages?limit=50&order=oldest'],
    ['messages of a category', `/v1/messages?limit=50&categoryId=${chatCategory}`],
    ['messages that wait', '/v1/messages?limit=50&state=submitted'],
    ['messages since half a year ago', `/v1/messages?limit=50&createdAfter=${year}`],
    ['a draft', `/v1/messages/${draft}`],
    ['a message that waits', `/v1/messages/${submitted}`],
    ['deliveries of a message', `/v1/messages/${sent}/deliveries?limit=50`],
  ]
  const decided: [string, string][] = [
    ['what waits for approval', '/v1/approvals?limit=50'],
    ['the audit log', '/v1/audit?limit=50'],
    ['the summary', '/v1/summary'],
  ]
  const own: [string, string][] = [
    ['an inbox', '/v1/me/inbox?limit=50'],
    ['how many are unread', '/v1/me/inbox/unread'],
  ]
  const as = (reads: [string, string][], headers: Record<string, string>) =>
    reads.map(([what, path]) => ({ what, path, headers }))
  return [
    ...as(lists, bearer(credentials.key)),
    ...as(decided, { cookie: `hub_session=${credentials.session}` }),
    ...as(own, { 'x-mock-channel-user': chatAddressOf(reader) }),
  ]
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

async function measured(installation: BenchInstallation, floor: Read, reads: Read[]) {
  const took: Took = new Map()
  await readAll(installation, [floor, ...reads], warmUps, new Map())
  const rounds = await alternate(
    () => readAll(installation, [floor], each * reads.length, took),
    () => readAll(installation, reads, each, took),
  )
  const byKey = percentile(took.get(floor.what)!, 0.95)
  const figures = (when: string): Baseline[] => [
    p95Of(`${floor.what}, ${when}`, took.get(floor.what)!),
    ...reads.flatMap(({ what }) => {
      const figure = percentile(took.get(what)!, 0.95) / byKey
      const named = `${what}, ${when}`
      return [
        p95Of(named, took.get(what)!),
        { what: `${named}, ratio`, figure, unit: '×', atMost: mostRatio },
      ]
    }),
  ]
  return { rounds, figures }
}

/** The numbers that a process counts by statements, while no run has seen its row. */
async function metricsOf(
  installation: BenchInstallation,
  what: string,
  url: string,
  atMost?: number,
): Promise<Baseline> {
  const { origin, pathname } = new URL(url)
  const read = { what, path: pathname, headers: {}, origin }
  const took: Took = new Map()
  await readAll(installation, [read], warmUps, new Map())
  await readAll(installation, [read], each, took)
  return p95Of(what, took.get(what)!, atMost)
}
