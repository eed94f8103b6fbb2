import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dashboards } from '../../../dev/grafana/dashboards.ts'
import { drawDashboard, type Series } from '../../../dev/grafana/draw.ts'
import { freePort } from '../../../dev/ports.ts'
import { alertsFile, readAlerts } from '../../fixtures/alerts.ts'
import { queriesOf } from '../../fixtures/dashboards.ts'
import { insertMessageRows } from '../../fixtures/message-rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { type Prometheus, startPrometheus } from '../../harness/prometheus.ts'
import { findPrometheus } from '../../harness/prometheus-tools.ts'
import { tap } from '../faults/world/chat-events.ts'
import { type Api, type Installation, startInstallation } from '../faults/world/installation.ts'
import { planMail, setUpMail, untilMailed } from '../faults/world/mail.ts'
import { type Mailbox, startMailboxOf } from '../faults/world/mailbox.ts'
import { insertCrowd } from '../faults/world/people.ts'
import {
  beginRuns,
  type ScenarioWorld,
  setUpScenarios,
  takesScenarios,
  untilAt,
  untilDone,
  walkOf,
} from '../faults/world/scenarios.ts'

const tools = await findPrometheus()

/** With `PICTURES=1` the work is repeated for so many rounds, and the pictures of the docs are drawn from the answers. */
const rounds = process.env.PICTURES === '1' ? 25 : 2
const images = resolve(import.meta.dirname, '../../../docs/images')

/** How far back a dashboard looks in this test (s): to before the work began. */
const rangeSeconds = 120
/** What Grafana puts in, for a scrape each second; longer for the pictures, which show more of them. */
const withInterval = (expr: string) => expr.replaceAll('$__rate_interval', rounds > 2 ? '15s' : '5s')

describe.skipIf(tools === undefined)('an installation that Prometheus scrapes', () => {
  let installation: Installation
  let mailbox: Mailbox
  let world: ScenarioWorld
  let prometheus: Prometheus
  beforeAll(async () => {
    const ports = await Promise.all([freePort(), freePort()])
    mailbox = await startMailboxOf()
    installation = await startInstallation()
    await setUpMail(installation)
    world = await setUpScenarios(installation)
    await planUnapproved(installation)
    const [ofApi, ofWorker] = ports.map((port) => ({
      ...{ ...takesScenarios, ...mailbox.env, METRICS_PORT: String(port) },
    }))
    const [api] = await Promise.all([installation.startApi(ofApi), installation.startWorker(ofWorker)])
    prometheus = await startPrometheus(tools!, ports, alertsFile)
    // A histogram has a quantile once Prometheus has seen it rise, and so the work is done twice.
    await work(api)
    await eventually(async () => expect(await endedRuns()).toBeGreaterThan(0))
    for (let round = 1; round < rounds; round += 1) await work(api)
  })
  afterAll(async () => {
    await prometheus?.stop()
    await installation.close()
    await mailbox.stop()
  })

  /** A message that is planned in three days, and that nobody has approved. */
  async function planUnapproved({ db }: Installation): Promise<void> {
    const id = await insertMessageRows(db, { state: 'submitted' })
    const planned = { schedule_at: new Date(Date.now() + 3 * 86_400_000), snapshot_at: new Date() }
    await db.updateTable('message').set(planned).where('id', '=', id).execute()
  }

  /** Messages by chat and mail, and conversations with a Lookup and an answer. */
  async function work(api: Api): Promise<void> {
    const chat = installation.plan(await insertCrowd(installation.db, 20))
    const mail = await planMail(installation, 20)
    const mails = mailbox.mails() + 20
    await Promise.all([api.send(chat), api.send(mail), untilMailed(mailbox, mails)])
    const runs = await beginRuns(installation, walkOf(world), 5, 'order')
    await untilAt(installation, runs, 'ask')
    await tap(api, runs)
    await untilDone(installation, runs)
  }

  /** Runs of scenarios that Prometheus has seen end. */
  const endedRuns = async () => (await newest('sum(carillon_runs_ended_total{kind="scenario"})'))[0] ?? 0
  const newest = async (expr: string) =>
    (await prometheus.askRange(expr, 1)).map(({ values }) => values.at(-1)![1])
  const ask = (expr: string) => prometheus.askRange(withInterval(expr), rangeSeconds)
  const hasValue = (series: Series[]) =>
    series.some(({ values }) => values.some(([, value]) => Number.isFinite(value)))

  it.each(Object.entries(dashboards))('answers every panel of the dashboard %s', async (name, dashboard) => {
    await eventually(async () => {
      const answers = new Map<string, Series[]>()
      await Promise.all(queriesOf(dashboard).map(async ({ expr }) => answers.set(expr, await ask(expr))))
      const empty = queriesOf(dashboard).filter(({ expr }) => !hasValue(answers.get(expr)!))
      expect(empty.map(({ panel, expr }) => `${panel}: ${expr}`)).toEqual([])
      if (rounds > 2) writeFileSync(`${images}/dashboard-${name}.svg`, drawDashboard(dashboard, answers))
    })
  })

  it('has fewer than 800 series in all, and each process fewer than 500', async () => {
    const each = await newest('count by (instance) ({job="carillon"})')
    process.stdout.write(`measured: ${each.join(' and ')} series of API and worker\n`)
    expect(each).toHaveLength(2)
    for (const count of each) expect(count).toBeLessThan(500)
    expect((await newest('count({job="carillon"})'))[0]).toBeLessThan(800)
  })

  it('loads every alert, and none is firing', async () => {
    const alerts = await prometheus.alerts()
    const names = alerts.map(({ name }) => name)
    expect(names.toSorted()).toEqual(
      readAlerts()
        .map(({ alert }) => alert)
        .toSorted(),
    )
    expect(alerts.filter(({ health }) => health !== 'ok')).toEqual([])
    expect(alerts.filter(({ state }) => state === 'firing')).toEqual([])
  })
})
