import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import { asyncCommit } from '../../async-commit.ts'
import type { Trx } from '../../connect.ts'
import type { ChannelCounts, SkippedCounts, WaveRow } from '../../tables.ts'
import type { FailedBatch } from '../callback/failures.ts'

/** The sum of finished batches of one channel. `reserved`: members with reserved quota; `pushes`: what to commit. */
export type BatchTally = {
  channel: Channel
  reserved: number
  pushes: number
  sent: number
  failed: number
  unknown: number
  skipped: SkippedCounts
}

/**
 * A wave's counters with its finished batches added, those batches by channel, and whether others are still open. One that
 * another lane finishes while they are taken counts as open, so none is left out when the last one is counted.
 */
export type TallyResult = {
  counters: WaveCounters
  finished: BatchTally[]
  /** Those of the finished batches in which deliveries failed. */
  failures: FailedBatch[]
  othersOpen: boolean
}

/**
 * Takes the finished batches of a wave, each once, and adds them up. The caller writes the counters (`setCounters`, or
 * with a move) in the same transaction. Requires the wave's row lock.
 */
export async function takeFinished(trx: Trx, wave: WaveRow): Promise<TallyResult> {
  const first = await take(trx, wave.id)
  const othersOpen = first[0]?.othersOpen ?? (await hasOpen(trx, wave.id))
  // None was finished, and then none was open: a lane has finished the last ones in between.
  const tallies: TakenBatch[] = first.length === 0 && !othersOpen ? await take(trx, wave.id) : first
  const byChannel = [...Map.groupBy<Channel, BatchTally>(tallies, ({ channel }) => channel).values()].map(
    (batches) => batches.reduce(addTallies),
  )
  const failures = tallies
    .filter(({ failed }) => failed > 0)
    .map(({ channel, number, failed }) => ({ waveId: wave.id, channel, number, failed }))
  // The lock order of the ledger: two waves that tally at the same time must not deadlock.
  const finished = byChannel.sort((a, b) => (a.channel < b.channel ? -1 : 1))
  return { counters: addToCounters(wave, finished), finished, failures, othersOpen }
}

type TakenBatch = BatchTally & { number: number; othersOpen: boolean }

/** Marks the finished batches as counted, which nobody claims again; `othersOpen`: as of the same snapshot. */
async function take(trx: Trx, waveId: string): Promise<TakenBatch[]> {
  const { rows } = await sql<TakenBatch>`
    update batch set state = 'counted', claimed_by = null, run_id = null, activity_id = null
    where wave_id = ${waveId} and state = 'done'
    returning channel, number, pushes, sent, failed, unknown, skipped, case when repeats then 0 else size end as reserved,
      ${isAnyOpen(waveId)} as "othersOpen"`.execute(trx)
  return rows
}

function isAnyOpen(waveId: string) {
  return sql<boolean>`exists (select from batch as other where other.wave_id = ${waveId} and other.state = 'open')`
}

async function hasOpen(trx: Trx, waveId: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`select ${isAnyOpen(waveId)} as open`.execute(trx)
  return rows[0]!.open
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

/** The sum of two counts by reason. */
function addCounts(a: SkippedCounts, b: SkippedCounts): SkippedCounts {
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

/** A wave's counters plus these batches; `expected` by channel was set when the deliveries were written. */
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

/** A wave's counters after this many deliveries with an outcome have become pending again. */
export function subtractPending(
  wave: WaveCounters,
  channel: Channel,
  outcome: 'unknown' | 'failed',
  deliveries: number,
): WaveCounters {
  const counts = wave.by_channel[channel]!
  const fewer = { ...counts, [outcome]: counts[outcome] - deliveries }
  return {
    ...wave,
    [outcome]: wave[outcome] - deliveries,
    by_channel: { ...wave.by_channel, [channel]: fewer },
  }
}

/**
 * Counts the people of a wave that has ended, each by their best delivery, and stores it: for waves with several
 * deliveries to one person. Requires the wave's row lock.
 */
export async function countPeople(trx: Trx, waveId: string): Promise<void> {
  await sql`
    update wave set people = (
      select jsonb_build_object(
        'reached', count(*) filter (where reached),
        'unknown', count(*) filter (where not reached and unknown),
        'failed', count(*) filter (where not reached and not unknown and failed),
        'skipped', count(*) filter (where not reached and not unknown and not failed))
      from (
        select bool_or(state = 'sent') as reached, bool_or(state = 'unknown') as unknown, bool_or(state = 'failed') as failed
        from delivery where wave_id = ${waveId} group by subject_id
      ) as person
    )
    where id = ${waveId}`.execute(trx)
}

/** The columns of a wave's counters. */
export function counterColumns({ sent, failed, unknown, skipped, by_channel }: WaveCounters) {
  return { sent, failed, unknown, skipped: JSON.stringify(skipped), by_channel: JSON.stringify(by_channel) }
}

/** Writes a wave's counters. Requires the wave's row lock. */
export async function setCounters(trx: Trx, waveId: string, counters: WaveCounters): Promise<void> {
  await trx
    .updateTable('wave')
    .set(counterColumns(counters))
    .where('id', '=', waveId)
    .where(asyncCommit)
    .execute()
}
