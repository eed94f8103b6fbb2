import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '../../harness/eventually.ts'
import { openRoute } from '../../harness/route.ts'
import { countsOf, patient } from './counts.ts'
import { startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { accepted } from './world/journal.ts'
import { finish, startLoad } from './world/load.ts'
import { recordMeasurement, secondsOf, spread } from './world/measurements.ts'
import { insertCrowd } from './world/people.ts'
import { type OwnPostgres, ownPostgres } from './world/servers.ts'
import { forever } from './world/simulator.ts'
import { followSynchronously, type Standby, startStandby, untilFollowed } from './world/standby.ts'
import { untilSent, untilSentTo } from './world/wait-for.ts'

/** Enough for most to be pending when the primary is killed. */
const people = 6_000
const readyMs = 5_000

/** An installation whose address of Postgres can lead to another server. */
async function startPair() {
  const primary = await ownPostgres()
  const route = await openRoute(primary.options.port)
  const url = new URL(primary.url)
  url.port = String(route.port)
  const installation = await startInstallation({ postgres: { url: url.href } })
  await installation.simulator.fault({ delayMs: 1_000, times: forever })
  const servers: OwnPostgres[] = [primary]
  onTestFinished(async () => {
    await installation.close()
    await route.close()
    for (const server of servers) await server.stop()
  })
  const follow = async (server: OwnPostgres, logPort?: number): Promise<Standby> => {
    const standby = await startStandby(server, logPort)
    servers.push(standby)
    return standby
  }
  return { installation, route, primary, follow }
}

it('a promoted synchronous standby has every row: nothing is lost or sent twice', patient, async () => {
  const { failovers } = countsOf('postgresFailover')
  const { installation, route, primary: first, follow } = await startPair()
  const api = await installation.startApi()
  await installation.startWorker()
  const few = await insertCrowd(installation.db, 3)
  const ready: number[] = []
  let [calls, refused] = [0, 0]
  let primary = first
  for (let failover = 0; failover < failovers; failover++) {
    const standby = await follow(primary)
    await followSynchronously(primary)
    const before = installation.planned.length
    const message = await api.send(installation.plan(await insertCrowd(installation.db, people)))
    await untilSentTo(installation, message, 500)
    const { answers, stop } = startLoad(installation, api, few)
    await eventually(() => expect(answers.length).toBeGreaterThan(10))
    await primary.kill()
    const begun = performance.now()
    route.lead(standby.options.port)

    await eventually(async () =>
      expect((await api.ask('/readyz')).body.error.message).toContain('it is a standby'),
    )
    expect((await api.ask('/v1/health')).body).toMatchObject({ status: 'down', database: 'down' })
    expect(await api.create(installation.plan(few))).toMatchObject({ status: 503, retryAfter: '1' })

    await standby.promote()
    await eventually(
      async () => {
        expect((await api.ask('/readyz')).status).toBe(200)
        expect((await api.create(installation.plan(few))).status).toBe(201)
      },
      { limitMs: readyMs },
    )
    ready.push(performance.now() - begun)
    await stop()
    const failed = answers.filter(({ status }) => status !== 200 && status !== 201)
    expect(failed.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([])
    calls += answers.length
    refused += failed.length
    for (const each of installation.planned.slice(before)) await finish(api, each)
    await untilSent(installation, installation.planned)
    primary = standby
  }
  await expectInvariants(installation)
  recordMeasurement(
    'postgresFailover',
    `synchronous: ${failovers} failovers, ${calls} calls, ${refused} answered 503; ready after: ${spread(ready)}`,
  )
})

it(
  'a promoted asynchronous standby lacks what it had not received, which is sent again',
  patient,
  async () => {
    const { installation, route, primary, follow } = await startPair()
    const log = await openRoute(primary.options.port)
    onTestFinished(() => log.close())
    const standby = await follow(primary, log.port)
    const api = await installation.startApi()
    const message = await api.send(installation.plan(await insertCrowd(installation.db, people)))
    await untilFollowed(primary, standby)
    log.set('silent')
    const lost = await api.send(installation.plan(await insertCrowd(installation.db, 3)))
    await installation.startWorker()
    await untilSentTo(installation, message, 500)
    await primary.kill()
    const begun = performance.now()
    await standby.promote()
    route.lead(standby.options.port)

    await untilSent(installation, [message])
    const took = performance.now() - begun
    expect((await api.patient.read(lost)).status).toBe(404)
    const reached = accepted(installation.simulator.journal()).filter(
      ({ marker }) => marker === message.marker,
    )
    const places = reached.flatMap(({ to }) => to)
    const twice = places.length - new Set(places).size
    expect(new Set(places).size).toBe(people)
    expect(twice).toBeGreaterThanOrEqual(500)
    recordMeasurement(
      'postgresFailover',
      `asynchronous, log cut before the send: ${twice} of ${people} sent to twice, 1 acknowledged message lost; ` +
        `sent ${secondsOf(took)} after the kill`,
    )
  },
)
