import { Counter, Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/connect.ts'
import { countCallbacks } from '../db/queries/callback/callback.ts'
import { countParked } from '../db/queries/delivery/parking.ts'
import { type ChannelStatus, readChannelStatuses } from '../db/queries/delivery/provider.ts'
import { countEvents } from '../db/queries/event/event.ts'
import { countWebhookEvents } from '../db/queries/event/webhook.ts'
import { countNotices } from '../db/queries/message/notice.ts'
import { readRunHealth } from '../db/queries/run/reconcile.ts'
import { countImports } from '../db/queries/subject/import-chunk.ts'
import { countErasures } from '../db/queries/subject/record.ts'

/** Pokes by what came of them: sent, failed, or dropped because Temporal was away or too many were waiting. */
export const wakes = new Counter({
  name: 'carillon_pokes_total',
  help: 'Pokes to runs, by outcome (sent, failed, dropped)',
  labelNames: ['outcome'],
})

/** Runs that had to be woken because they had not looked at their row in time. */
export const reconcilerWakes = new Counter({
  name: 'carillon_poker_repairs_total',
  help: 'Runs poked because their row was not acknowledged in time',
})

/** Rounds of background tasks that failed as a whole, or a lane of theirs; the next one tries again. */
export const backgroundFailures = new Counter({
  name: 'carillon_background_failures_total',
  help: 'Rounds of a background task that failed, by task',
  labelNames: ['task'],
})

/** Kinds of old rows that could not be purged: once for each in a round of a worker, an hour long. */
export const purgeFailures = new Counter({
  name: 'carillon_retention_failures_total',
  help: 'Rounds in which old rows of a kind could not be purged, by kind',
  labelNames: ['kind'],
})

/** How the runs stand, as every process of a kind sees it in the rows; NaN while the database does not answer. */
export function registerRunMetrics(db: Db, registry: Registry): void {
  new Gauge({
    name: 'carillon_runs_behind',
    help: 'Runs that should have looked at their row a minute ago (overdue), runs whose code fails (wedged).',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await readRunHealth(db).catch(() => ({ overdue: Number.NaN, wedged: Number.NaN }))
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
export function registerSendingMetrics(db: Db, registry: Registry): void {
  const gauge = (name: string, help: string, figureOf: (standing: ChannelStatus) => number) =>
    new Gauge({
      ...{ name, help, labelNames: ['channel'], registers: [registry] },
      async collect() {
        for (const standing of await readChannelStatuses(db).catch(() => []))
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

/** What waits for a background task, by its metric: how many did not go in time (late), and how many never will (failed). */
const queues = {
  carillon_notices: {
    help: 'Mails to approvers that could not be sent so far (late), and that never will be (failed).',
    states: ['late', 'failed'],
    count: countNotices,
  },
  carillon_webhook_events: {
    help: 'Events of channels that wait for more than a minute (late), that were given up (failed), or that could not be read.',
    states: ['late', 'failed', 'unreadable'],
    count: countWebhookEvents,
  },
  carillon_events: {
    help: 'Signed events without an outcome for more than a minute (late), and with a fault of ours as outcome (failed).',
    states: ['late', 'failed'],
    count: countEvents,
  },
  carillon_callbacks: {
    help: 'Callbacks that did not take something and are tried again (late), and that something was given up for (failed).',
    states: ['late', 'failed'],
    count: countCallbacks,
  },
  carillon_imports: {
    help: 'Imports that are held up by lines that could not be written so far (late).',
    states: ['late'],
    count: countImports,
  },
  carillon_erasures: {
    help: 'Erasures that failed and are tried again (late).',
    states: ['late'],
    count: countErasures,
  },
} as const

/** Puts the queues of the workers into the numbers for Prometheus; NaN while the database does not answer. */
export function registerQueueMetrics(db: Db, registry: Registry): void {
  for (const [name, { help, states, count }] of Object.entries(queues))
    new Gauge({
      ...{ name, help, labelNames: ['state'], registers: [registry] },
      async collect() {
        const counts: Record<string, number> = await count(db).catch(() => ({}))
        for (const state of states) this.set({ state }, counts[state] ?? Number.NaN)
      },
    })
}
