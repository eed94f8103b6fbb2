import { Counter, Histogram } from 'prom-client'
import {
  type Channel,
  channels,
  type DeliveryState,
  deliveryStates,
  type TurnWay,
  turnWays,
} from '../contract/enums.ts'
import type { BatchTally } from '../db/queries/delivery/counters.ts'
import type { WrittenCounts } from '../db/queries/delivery/deliveries.ts'
import { channelEntries } from '../domain/lib/channel-entries.ts'
import { sumOfCounts } from '../domain/message/stats.ts'

/** What this process has sent, counted after the commit of each result (docs/design/observing.md). */

const outcomes = deliveryStates.filter((state) => state !== 'pending')
type DeliveryOutcome = Exclude<DeliveryState, 'pending'>

const deliveries = new Counter({
  name: 'carillon_deliveries_total',
  help: 'Deliveries with an outcome, by channel and outcome (sent, failed, skipped, unknown).',
  labelNames: ['channel', 'outcome'],
})
for (const channel of channels) for (const outcome of outcomes) deliveries.inc({ channel, outcome }, 0)

const turns = new Counter({
  name: 'carillon_turns_total',
  help: 'Turns of scenarios with an outcome, by way (reply, push, mail, page, none) and outcome (sent, failed, skipped, unknown).',
  labelNames: ['by', 'outcome'],
})
for (const by of [...turnWays, 'none']) for (const outcome of outcomes) turns.inc({ by, outcome }, 0)

const replies = new Counter({
  name: 'carillon_handoff_replies_total',
  help: 'Replies in handoffs with an outcome, by outcome (sent, failed, skipped, unknown).',
  labelNames: ['outcome'],
})
for (const outcome of outcomes) replies.inc({ outcome }, 0)

const sendLag = new Histogram({
  name: 'carillon_send_lag_seconds',
  help: 'Time from the moment a message was due to the moment a recipient was sent to, for each delivery.',
  buckets: [1, 5, 15, 60, 300, 900, 3600],
})

/** Counts the outcomes of batches that were just tallied; a batch is tallied once. */
export function countTallied(finished: readonly BatchTally[]): void {
  for (const { channel, sent, failed, unknown, skipped } of finished)
    count(channel, { sent, failed, unknown, skipped: sumOfCounts(skipped) })
}

/** Counts the deliveries that were skipped when the deliveries of a wave were written, which happens once. */
export function countWritten({ byChannel }: WrittenCounts): void {
  for (const [channel, { skipped }] of channelEntries(byChannel))
    count(channel, { skipped: sumOfCounts(skipped) })
}

function count(channel: Channel, counts: Partial<Record<DeliveryOutcome, number>>): void {
  for (const outcome of outcomes) deliveries.inc({ channel, outcome }, counts[outcome] ?? 0)
}

/** Counts the outcome of a turn, or of a reply, which has no run. `by`: the way of its last try; null: it was not tried. */
export function countTurn(
  { runId }: { runId: string | null },
  by: TurnWay | null,
  outcome: DeliveryOutcome,
): void {
  if (runId === null) replies.inc({ outcome })
  else turns.inc({ by: by ?? 'none', outcome })
}

/** Records for `recipients` deliveries that they are sent now, and were due at `dueAt` (ms since the epoch). */
export function observeLag(dueAt: number, recipients: number): void {
  const seconds = Math.max(0, Date.now() - dueAt) / 1_000
  for (let each = 0; each < recipients; each += 1) sendLag.observe(seconds)
}
