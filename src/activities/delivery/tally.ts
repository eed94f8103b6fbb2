import { callsPerRecipient } from '../../channels/channel.ts'
import type { Trx } from '../../db/connect.ts'
import { announceFailures } from '../../db/queries/callback/failures.ts'
import { type BatchTally, setCounters, takeFinished } from '../../db/queries/delivery/counters.ts'
import { lockWave, postponeWakeup, type WaveInfo } from '../../db/queries/delivery/wave.ts'
import { type Settled, settleReservation } from '../../db/queries/quota/quota.ts'
import type { WaveRow } from '../../db/tables.ts'
import { countTallied } from '../../metrics/sending.ts'
import type { Services } from '../../services/context.ts'

/**
 * Ends a slice: adds its finished batches to the counters of wave and ledger. Postpones the run's wakeup, so that the
 * reconciler does not wake it for a minute.
 */
export async function tallySlice({ db }: Pick<Services, 'db'>, wave: WaveInfo): Promise<void> {
  const tallied = await db.transaction().execute(async (trx) => {
    await postponeWakeup(trx, wave.messageId)
    const locked = await lockWave(trx, wave.waveId)
    const { finished, failures, counters } = await takeFinished(trx, locked)
    if (finished.length > 0) await setCounters(trx, wave.waveId, counters)
    await announceFailures(trx, wave, failures)
    await settleTally(trx, wave, locked, finished)
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
