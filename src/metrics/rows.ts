import { Counter, Gauge, type Registry } from 'prom-client'
import {
  channels,
  isOneOf,
  type OccurrenceOutcome,
  occurrenceOutcomes,
  problems,
  webhookSources,
} from '../contract/enums.ts'
import type { Db } from '../db/connect.ts'
import { countCallbacks } from '../db/queries/callback/callback.ts'
import { listDoubtedServers } from '../db/queries/delivery/mail-server.ts'
import { type ChannelStatus, readChannelStatuses } from '../db/queries/delivery/provider.ts'
import { sumFailedSends } from '../db/queries/delivery/shortfall.ts'
import { countErasures } from '../db/queries/erasure/record.ts'
import { countEvents } from '../db/queries/event/event.ts'
import { countWebhookEvents } from '../db/queries/event/webhook.ts'
import { longestUnanswered } from '../db/queries/handoff/open.ts'
import { readApprovalQueue } from '../db/queries/message/message.ts'
import { countNotices } from '../db/queries/message/notice.ts'
import { rollUpLag } from '../db/queries/metrics/roll-up.ts'
import { readHighestUse } from '../db/queries/quota/usage.ts'
import { countParked } from '../db/queries/run/parked.ts'
import { readRunHealth } from '../db/queries/run/reconcile.ts'
import { longestStandingLine } from '../db/queries/scenario-run/start.ts'
import { countImports } from '../db/queries/subject/import-chunk.ts'
import { monthOf } from '../domain/lib/month.ts'
import { allRunKinds } from '../domain/run/run-kinds.ts'

/** Wakes by outcome: sent, failed, or dropped because Temporal was unavailable or too many were queued. */
export const wakes = new Counter({
  name: 'carillon_wakes_total',
  help: 'Wakes of runs, by outcome (sent, failed, dropped).',
  labelNames: ['outcome'],
})
// Prometheus sees that a counter rises only if it was there before.
for (const outcome of ['sent', 'failed', 'dropped']) wakes.inc({ outcome }, 0)

/** Runs that the reconciler woke because they had not observed their row in time. */
export const reconcilerWakes = new Counter({
  name: 'carillon_reconciler_wakes_total',
  help: 'Runs woken by the reconciler.',
})

/** Rounds, or lanes, of background tasks that failed; the next round retries. */
export const backgroundFailures = new Counter({
  name: 'carillon_background_failures_total',
  help: 'Failed rounds of background tasks, by task.',
  labelNames: ['task'],
})

/** Failed purges by kind of row: at most one per kind and round, which is hourly in each worker. */
export const purgeFailures = new Counter({
  name: 'carillon_retention_failures_total',
  help: 'Rounds in which purging old rows failed, by kind.',
  labelNames: ['kind'],
})

/** Webhook events that were dropped, because they are older than those that are kept. */
export const outdatedWebhookEvents = new Counter({
  name: 'carillon_webhook_events_outdated_total',
  help: 'Webhook events dropped because they are past their retention, by channel.',
  labelNames: ['channel'],
})
for (const channel of webhookSources) outdatedWebhookEvents.inc({ channel }, 0)

const acknowledgementOutcomes = ['sent', 'refused', 'late', 'dropped'] as const
/** How a reply to a tap ended: `late` without a token that works, `dropped` with too many under way. */
export type AcknowledgementOutcome = (typeof acknowledgementOutcomes)[number]

/** Replies to taps in the chat. */
export const acknowledgements = new Counter<'outcome'>({
  name: 'carillon_chat_acknowledgements_total',
  help: 'Replies to taps in the chat, by outcome (sent, refused, late, dropped).',
  labelNames: ['outcome'],
})
for (const outcome of acknowledgementOutcomes) acknowledgements.inc({ outcome }, 0)

const answerOutcomes = [
  'answered',
  'repeated',
  'late',
  'unknown_option',
  'wrong_recipient',
  'unsupported',
  'early',
  'outdated',
] as const

/** What people answered to questions of scenarios: counted after the commit. */
const scenarioAnswers = new Counter({
  name: 'carillon_scenario_answers_total',
  help: 'Answers to questions of scenarios, by outcome (answered, repeated, late, unknown_option, wrong_recipient, unsupported, early, outdated).',
  labelNames: ['outcome'],
})
for (const outcome of answerOutcomes) scenarioAnswers.inc({ outcome }, 0)

/** Counts what a person said to a scenario, if it was an answer. */
export function countAnswer(outcome: string): void {
  if (isOneOf(answerOutcomes, outcome)) scenarioAnswers.inc({ outcome })
}

/** Outcomes of the occurrences of schedules: counted after the commit. Those missed because of a change are not. */
const occurrences = new Counter({
  name: 'carillon_occurrences_total',
  help: 'Occurrences of schedules, by outcome (created, missed, refused, failed).',
  labelNames: ['outcome'],
})
for (const outcome of occurrenceOutcomes) occurrences.inc({ outcome }, 0)

export function countOccurrences(counts: Partial<Record<OccurrenceOutcome, number>>): void {
  for (const outcome of occurrenceOutcomes) occurrences.inc({ outcome }, counts[outcome] ?? 0)
}

const handoffEvents = ['opened', 'closed', 'assistant', 'silence', 'timeout'] as const
/** What happens to a handoff: it is opened, or closed by the unit, the assistant, a day of silence, or its time-out. */
export type HandoffEvent = (typeof handoffEvents)[number]

const handoffs = new Counter({
  name: 'carillon_handoffs_total',
  help: 'Handoffs, by event (opened; closed by the unit, or by assistant, silence, timeout).',
  labelNames: ['event'],
})
for (const event of handoffEvents) handoffs.inc({ event }, 0)

/** Counts what happened to handoffs, after the commit. */
export function countHandoff(event: HandoffEvent): void {
  handoffs.inc({ event })
}

/**
 * Registers every metric that is read from the rows, at each scrape: all processes serve the same values, so that they
 * are there while no worker runs. NaN while the database does not answer.
 */
export function registerRowMetrics({ db, quotaTimeZone }: RowSource, registry: Registry): void {
  registerRunMetrics(db, registry)
  registerApprovalMetrics(db, registry)
  registerHandoffMetrics(db, registry)
  registerLineMetrics(db, registry)
  registerQuotaMetrics(db, quotaTimeZone, registry)
  registerSendingMetrics(db, registry)
  registerMailServerMetrics(db, registry)
  registerShortfallMetrics(db, registry)
  registerQueueMetrics(db, registry)
  registerRollUpMetrics(db, registry)
}

/** The database, and the time zone in which a month of quota ends. */
export type RowSource = { db: Db; quotaTimeZone: string }

/** One reading for all gauges of a scrape, which are collected at once; the next scrape reads again. */
function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null
  return () => {
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }
}

/** The metrics of runs, by kind. */
function registerRunMetrics(db: Db, registry: Registry): void {
  new Gauge({
    name: 'carillon_runs',
    help:
      'Runs at least a minute late (overdue), runs whose workflow task keeps failing (wedged), and those restarted for ' +
      'that within a day (restarted), by kind.',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      const health = await readRunHealth(db).catch(() => null)
      for (const kind of allRunKinds) {
        for (const state of ['overdue', 'wedged', 'restarted'] as const)
          this.set({ kind, state }, health?.[kind][state] ?? Number.NaN)
      }
    },
  })
  new Gauge({
    name: 'carillon_runs_parked',
    help: 'Parked runs, by kind and problem.',
    labelNames: ['kind', 'problem'],
    registers: [registry],
    async collect() {
      const counts = await countParked(db).catch(() => null)
      for (const kind of allRunKinds) {
        for (const problem of problems) this.set({ kind, problem }, counts?.[kind][problem] ?? Number.NaN)
      }
    },
  })
}

function registerApprovalMetrics(db: Db, registry: Registry): void {
  const readQueue = sharedRead(() => readApprovalQueue(db).catch(() => null))
  new Gauge({
    name: 'carillon_approvals_oldest_seconds',
    help: 'How long the message that has waited longest for an approval has waited; 0 if none waits.',
    registers: [registry],
    async collect() {
      const queue = await readQueue()
      this.set(queue?.oldestSeconds ?? Number.NaN)
    },
  })
  new Gauge({
    name: 'carillon_approvals_due_seconds',
    help: 'Seconds until the first planned send time of a message that waits for an approval; +Inf if there is none.',
    registers: [registry],
    async collect() {
      const queue = await readQueue()
      this.set(queue ? (queue.dueSeconds ?? Number.POSITIVE_INFINITY) : Number.NaN)
    },
  })
}

function registerHandoffMetrics(db: Db, registry: Registry): void {
  new Gauge({
    name: 'carillon_handoffs_oldest_seconds',
    help: 'How long the person who has waited longest for an answer in an open handoff has waited; 0 if nobody waits.',
    registers: [registry],
    async collect() {
      this.set(await longestUnanswered(db).catch(() => Number.NaN))
    },
  })
}

/** The longest only: a series for each unit would be one for each of thousands. */
function registerLineMetrics(db: Db, registry: Registry): void {
  new Gauge({
    name: 'carillon_line_stands_seconds',
    help: 'How long no conversation has begun in the unit whose line of them has stood longest; 0 if none stands in line.',
    registers: [registry],
    async collect() {
      this.set(await longestStandingLine(db).catch(() => Number.NaN))
    },
  })
}

/** The highest use only: a series for each unit would be one for each of thousands. */
function registerQuotaMetrics(db: Db, quotaTimeZone: string, registry: Registry): void {
  new Gauge({
    name: 'carillon_quota_ratio',
    help: "Used part of this month's quota, by channel: the highest of all units, and the pool's.",
    labelNames: ['channel', 'scope'],
    registers: [registry],
    async collect() {
      const highest = await readHighestUse(db, monthOf(new Date(), quotaTimeZone)).catch(() => null)
      for (const channel of channels) {
        for (const scope of ['unit', 'pool'] as const) {
          const match = highest?.find((use) => use.channel === channel && use.scope === scope)
          this.set({ channel, scope }, match?.ratio ?? (highest ? 0 : Number.NaN))
        }
      }
    },
  })
}

/** The metrics of deferred batches and resting channels. */
function registerSendingMetrics(db: Db, registry: Registry): void {
  const readStatuses = sharedRead(() => readChannelStatuses(db).catch(() => []))
  const gauge = (name: string, help: string, figureOf: (status: ChannelStatus) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['channel'],
      registers: [registry],
      async collect() {
        const statuses = await readStatuses()
        for (const channel of channels) {
          const status = statuses.find((one) => one.channel === channel)
          this.set({ channel }, status ? figureOf(status) : Number.NaN)
        }
      },
    })
  gauge('carillon_batches_retrying', 'Deferred batches.', (of) => of.retrying)
  gauge(
    'carillon_batches_retrying_oldest_seconds',
    'Age of the oldest deferred batch.',
    (of) => of.oldestSeconds,
  )
  gauge('carillon_channel_rest_seconds', "Seconds until the channel's rest ends.", ({ restsUntil }) =>
    restsUntil ? Math.max(0, (restsUntil.getTime() - Date.now()) / 1_000) : 0,
  )
}

function registerShortfallMetrics(db: Db, registry: Registry): void {
  new Gauge({
    name: 'carillon_failed_sends',
    help: 'Sends of 20 people or more that ended within the last hour and reached fewer than half.',
    registers: [registry],
    async collect() {
      const alerted = await sumFailedSends(db).then(
        (sum) => sum.alerted,
        () => Number.NaN,
      )
      this.set(alerted)
    },
  })
}

/** The name of a server is a host name: one or two of an installation. */
function registerMailServerMetrics(db: Db, registry: Registry): void {
  new Gauge({
    name: 'carillon_mail_server_doubted_seconds',
    help: 'How long a mail server has rejected so many recipients that it is not believed, by how it says so (refused, bounce).',
    labelNames: ['server', 'why'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const { host, why, seconds } of await listDoubtedServers(db).catch(() => []))
        this.set({ server: host, why }, seconds)
    },
  })
}

function registerRollUpMetrics(db: Db, registry: Registry): void {
  new Gauge({
    name: 'carillon_rollup_lag_seconds',
    help: 'How long ago the oldest send finished that is not in the numbers of its unit yet; 0 if there is none.',
    registers: [registry],
    async collect() {
      this.set(await rollUpLag(db).catch(() => Number.NaN))
    },
  })
}

/**
 * The queues of background tasks, by metric: items that are overdue or being retried, and exhausted ones (failed).
 */
const queues = {
  carillon_notices: {
    help: 'Notices to approvers, authors and units that are being retried, and that have exhausted their tries (failed).',
    states: ['retrying', 'failed'],
    count: countNotices,
  },
  carillon_webhook_events: {
    help: 'Webhook events pending for more than a minute (overdue), with exhausted tries (failed), or unreadable.',
    states: ['overdue', 'failed', 'unreadable'],
    count: countWebhookEvents,
  },
  carillon_events: {
    help: 'Signed events without an outcome for more than a minute (overdue), and ended by an internal error (failed).',
    states: ['overdue', 'failed'],
    count: countEvents,
  },
  carillon_callbacks: {
    help: 'Callbacks with deliveries being retried, and with exhausted deliveries (failed).',
    states: ['retrying', 'failed'],
    count: countCallbacks,
  },
  carillon_imports: {
    help: 'Imports held up by a chunk that is being retried.',
    states: ['retrying'],
    count: countImports,
  },
  carillon_erasures: {
    help: 'Failed erasures that are being retried.',
    states: ['retrying'],
    count: countErasures,
  },
} as const

/** Registers the metrics of the workers' queues alone. */
export function registerQueueMetrics(db: Db, registry: Registry): void {
  for (const [name, { help, states, count }] of Object.entries(queues))
    new Gauge({
      name,
      help,
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        const counts: Record<string, number> = await count(db).catch(() => ({}))
        for (const state of states) this.set({ state }, counts[state] ?? Number.NaN)
      },
    })
}
