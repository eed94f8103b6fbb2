import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/connect.ts'
import { countEvents } from '../db/queries/event-count.ts'
import { countNotices } from '../db/queries/notice.ts'
import { countParked } from '../db/queries/parked.ts'
import { overdue } from '../db/queries/poker.ts'
import { type ChannelStanding, channelStandings } from '../db/queries/retrying.ts'
import { countWebhookEvents } from '../db/queries/webhook-count.ts'

/** How the runs stand, as every process of a kind sees it in the rows; NaN while the database does not answer. */
export function measureRuns(db: Db, registry: Registry): void {
  new Gauge({
    name: 'carillon_runs_behind',
    help: 'Runs that should have looked at their row a minute ago (overdue), runs whose code fails (wedged).',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await overdue(db).catch(() => ({ overdue: Number.NaN, wedged: Number.NaN }))
      this.set({ state: 'overdue' }, counts.overdue)
      this.set({ state: 'wedged' }, counts.wedged)
    },
  })
  new Gauge({
    name: 'carillon_messages_parked',
    help: 'Messages whose send or reminder stands still and tries again every minute, by problem.',
    labelNames: ['problem'],
    registers: [registry],
    async collect() {
      const { NaN: unknown } = Number
      const none = { provider: unknown, provider_quota: unknown, quota: unknown }
      const counts = await countParked(db).catch(() => none)
      for (const [problem, messages] of Object.entries(counts)) this.set({ problem }, messages)
    },
  })
}

/** Puts into the numbers for Prometheus which channels rest, and what was put off. */
export function measureSending(db: Db, registry: Registry): void {
  const gauge = (name: string, help: string, figureOf: (standing: ChannelStanding) => number) =>
    new Gauge({
      ...{ name, help, labelNames: ['channel'], registers: [registry] },
      async collect() {
        for (const standing of await channelStandings(db).catch(() => []))
          this.set({ channel: standing.channel }, figureOf(standing))
      },
    })
  gauge('carillon_batches_retrying', 'Batches that were put off and are tried again.', (of) => of.retrying)
  gauge(
    'carillon_batches_retrying_oldest_seconds',
    'For how long the first of the batches that were put off has been.',
    (of) => of.oldestSeconds,
  )
  gauge(
    'carillon_channel_rest_seconds',
    'How much longer a channel rests because its provider asked for a pause.',
    ({ restsUntil }) => (restsUntil ? Math.max(0, (restsUntil.getTime() - Date.now()) / 1_000) : 0),
  )
}

/** Puts the notices to approvers that did not go out into the numbers for Prometheus. */
export function measureNotices(db: Db, registry: Registry): void {
  const help = 'Mails to approvers that could not be sent so far (late), and that never will be (failed).'
  measureLate(registry, { name: 'carillon_notices', help }, () => countNotices(db))
}

/** Puts the events that have made no outcome in time into the numbers for Prometheus. */
export function measureEvents(db: Db, registry: Registry): void {
  const help =
    'Signed events without an outcome for more than a minute (late), and with a fault of ours as outcome (failed).'
  measureLate(registry, { name: 'carillon_events', help }, () => countEvents(db))
}

/** Puts what channels told us and nobody worked off into the numbers for Prometheus. */
export function measureWebhooks(db: Db, registry: Registry): void {
  const help = 'Events of channels that wait for more than a minute (late), and that were given up (failed).'
  measureLate(registry, { name: 'carillon_webhook_events', help }, () => countWebhookEvents(db))
}

/** What waits for a sweep and did not go in time, and what never will; no number while the database cannot be asked. */
function measureLate(
  registry: Registry,
  about: { name: string; help: string },
  count: () => Promise<{ late: number; failed: number }>,
): void {
  new Gauge({
    ...about,
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await count().catch(() => ({ late: Number.NaN, failed: Number.NaN }))
      this.set({ state: 'late' }, counts.late)
      this.set({ state: 'failed' }, counts.failed)
    },
  })
}
