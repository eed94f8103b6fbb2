import { sql } from 'kysely'
import { callsPerRecipient } from '../../channels/channel.ts'
import type { Channel } from '../../contract/enums.ts'
import type { Trx } from '../../db/connect.ts'
import { announceFailures } from '../../db/queries/callback/failures.ts'
import { type BatchTally, setCounters, takeFinished } from '../../db/queries/delivery/counters.ts'
import { parkWave, unparkWave } from '../../db/queries/delivery/parking.ts'
import {
  countUncountedMembers,
  lockWave,
  postponeWakeup,
  setMonth,
  type WaveInfo,
} from '../../db/queries/delivery/wave.ts'
import { adjustReservation, type Settled, settleReservation } from '../../db/queries/quota/quota.ts'
import type { WaveRow } from '../../db/tables.ts'
import { monthOf } from '../../domain/lib/month.ts'
import { countTallied } from '../../metrics/sending.ts'
import type { Services } from '../../services/context.ts'

/**
 * Ends a slice: adds its finished batches to the counters of wave and ledger, and reserves for the rest of the wave
 * where needed. Postpones the run's wakeup, so that the reconciler does not wake it for a minute.
 */
export async function tallySlice(
  { db, quotaTimeZone }: Pick<Services, 'db' | 'quotaTimeZone'>,
  wave: WaveInfo,
): Promise<void> {
  const tallied = await db.transaction().execute(async (trx) => {
    await postponeWakeup(trx, wave.messageId)
    const locked = await lockWave(trx, wave.waveId)
    const { finished, failures, counters } = await takeFinished(trx, locked)
    if (finished.length > 0) await setCounters(trx, wave.waveId, counters)
    await announceFailures(trx, wave, failures)
    await settleTally(trx, wave, locked, finished)
    await reserveRemaining(trx, wave, locked, monthOf(locked.now, quotaTimeZone))
    return finished
  })
  countTallied(tallied)
}

/**
 * Settles finished batches on the ledger: commits what they cost and releases the rest of what was reserved for them.
 * All messages of a unit wait for the ledger's lock, so a transaction takes it last.
 */
export async function settleTally(
  trx: Trx,
  wave: WaveInfo,
  locked: WaveRow,
  finished: BatchTally[],
): Promise<void> {
  for (const settled of settledBy(wave, locked, finished)) await settleReservation(trx, settled)
}

/** What finished batches take from the reservation. A cancel has released all of it. */
export function settledBy(
  { waveId, compiled }: WaveInfo,
  { state, month }: WaveRow,
  finished: BatchTally[],
): Settled[] {
  if (state === 'cancelled') return []
  return finished.map(({ channel, reserved, pushes }) => ({
    waveId,
    channel,
    month,
    committed: pushes,
    released: reserved * callsPerRecipient(compiled, channel) - pushes,
  }))
}

/**
 * Moves the rest of the reservation of a wave that continues in a later month to that month. A wave parked for quota
 * tries to reserve again when its probe is due; until then none of its batches can be claimed.
 */
async function reserveRemaining(
  trx: Trx,
  wave: WaveInfo,
  { state, month, parked, probe_at, now }: WaveRow & { now: Date },
  thisMonth: string,
): Promise<void> {
  const short = parked === 'quota'
  const due = short ? probe_at !== null && probe_at <= now : thisMonth > month
  if (state !== 'sending' || !due) return
  const covered = await reserveForWave(
    trx,
    { ...wave, month },
    thisMonth,
    await countUncountedMembers(trx, wave.waveId),
  )
  if (!covered) await parkWave(trx, wave, { problem: 'quota', gate: true })
  else if (short) await unparkWave(trx, wave)
}

/**
 * Adjusts a wave's reservation to exactly these deliveries by channel, in `month`; if that is later than the wave's
 * month, the wave moves to it. False, and no change, if unit and pool together are short. The caller holds the wave's
 * lock, and takes no lock after the ledger's.
 */
export async function reserveForWave(
  trx: Trx,
  wave: WaveInfo,
  month: string,
  deliveries: Partial<Record<Channel, number>>,
): Promise<boolean> {
  const later = month > wave.month
  if (!later && wave.plan.channels.length === 1) return reserveInMonth(trx, wave, wave.month, deliveries)
  await sql`savepoint cover`.execute(trx)
  if (await reserveInMonth(trx, wave, later ? month : wave.month, deliveries)) return true
  await sql`rollback to savepoint cover`.execute(trx)
  return false
}

async function reserveInMonth(
  trx: Trx,
  wave: WaveInfo,
  month: string,
  deliveries: Partial<Record<Channel, number>>,
): Promise<boolean> {
  const { waveId, unitId, compiled, plan } = wave
  if (month !== wave.month) await setMonth(trx, waveId, month)
  for (const channel of plan.channels.toSorted()) {
    const pushes = (deliveries[channel] ?? 0) * callsPerRecipient(compiled, channel)
    if (!(await adjustReservation(trx, { waveId, unitId, channel, month, pushes })).ok) return false
  }
  return true
}
