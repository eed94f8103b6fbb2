import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import { asyncCommit } from '../../async-commit.ts'
import type { Trx } from '../../connect.ts'
import type { ChannelCounts, SkippedCounts, WaveRow } from '../../tables.ts'

/** What finished batches of one channel came to. `reserved`: members who are paid for; `pushes`: what they cost. */
export type BatchTally = {
  channel: Channel
  reserved: number
  pushes: number
  sent: number
  failed: number
  unknown: number
  skipped: SkippedCounts
}

/** A wave's counters as they are now, and the batches that were added to them, by channel. */
export type TallyResult = { counters: WaveCounters; finished: BatchTally[] }

/** Counts the finished batches of a wave on it, each once. Under its row lock. */
export async function tallyBatches(trx: Trx, wave: WaveRow): Promise<TallyResult> {
  const finished = await takeFinishedBatches(trx, wave.id)
  if (finished.length === 0) return { counters: wave, finished }
  const counters = addToCounters(wave, finished)
  await setCounters(trx, wave.id, counters)
  return { counters, finished }
}

/** Takes the finished batches of a wave, once, and sums them by channel. */
async function takeFinishedBatches(trx: Trx, waveId: string): Promise<BatchTally[]> {
  const rows = await trx
    .updateTable('batch')
    .set({ state: 'folded' })
    .where('wave_id', '=', waveId)
    .where('state', '=', 'done')
    .returning(['channel', 'pushes', 'sent', 'failed', 'unknown', 'skipped'])
    .returning(sql<number>`case when repeats then 0 else size end`.as('reserved'))
    .execute()
  const byChannel = [...Map.groupBy(rows, (row) => row.channel).values()].map((batches) =>
    batches.reduce(addTallies),
  )
  // The order in which the ledger is locked: two waves that count at once must not wait for each other.
  return byChannel.sort((a, b) => (a.channel < b.channel ? -1 : 1))
}

function addTallies(a: BatchTally, b: BatchTally): BatchTally {
  return {
    channel: a.channel,
    reserved: a.reserved + b.reserved,
    pushes: a.pushes + b.pushes,
    sent: a.sent + b.sent,
    failed: a.failed + b.failed,
    unknown: a.unknown + b.unknown,
    skipped: addCounts(a.skipped, b.skipped),
  }
}

/** Two counts by reason as one. */
export function addCounts(a: SkippedCounts, b: SkippedCounts): SkippedCounts {
  const sum = { ...a }
  for (const [reason, count] of Object.entries(b)) sum[reason] = (sum[reason] ?? 0) + count
  return sum
}

export type WaveCounters = {
  sent: number
  failed: number
  unknown: number
  skipped: SkippedCounts
  by_channel: Partial<Record<Channel, ChannelCounts>>
}

/** A wave's counters with these batches added; `expected` by channel was set when the rows were written. */
function addToCounters(wave: WaveCounters, finished: BatchTally[]): WaveCounters {
  return finished.reduce((sum, { channel, ...batch }) => {
    const before = sum.by_channel[channel] ?? { sent: 0, failed: 0, unknown: 0, skipped: {}, expected: 0 }
    return {
      ...added(sum, batch),
      by_channel: { ...sum.by_channel, [channel]: { expected: before.expected, ...added(before, batch) } },
    }
  }, wave)
}

function added(counters: Omit<WaveCounters, 'by_channel'>, batch: Omit<BatchTally, 'channel'>) {
  return {
    sent: counters.sent + batch.sent,
    failed: counters.failed + batch.failed,
    unknown: counters.unknown + batch.unknown,
    skipped: addCounts(counters.skipped, batch.skipped),
  }
}

/** A wave's counters where so many deliveries are not unknown any more, but still to be made. */
export function subtractUnknown(wave: WaveCounters, channel: Channel, deliveries: number): WaveCounters {
  const { unknown, by_channel } = wave
  const counts = by_channel[channel]!
  const fewer = { ...counts, unknown: counts.unknown - deliveries }
  return { ...wave, unknown: unknown - deliveries, by_channel: { ...by_channel, [channel]: fewer } }
}

/** Writes a wave's counters. Under its row lock. */
export async function setCounters(trx: Trx, waveId: string, counters: WaveCounters): Promise<void> {
  const { sent, failed, unknown, skipped, by_channel } = counters
  await trx
    .updateTable('wave')
    .set({ sent, failed, unknown, skipped: JSON.stringify(skipped), by_channel: JSON.stringify(by_channel) })
    .where('id', '=', waveId)
    .where(asyncCommit)
    .execute()
}
