import type { Db, Trx } from '../../db/connect.ts'
import {
  type Folded,
  setCounters,
  takeDone,
  type WaveCounters,
  withFolded,
} from '../../db/queries/delivery/counters.ts'
import { lockWave, lookInAMinute, type WaveBrief } from '../../db/queries/delivery/wave.ts'
import { settle } from '../../db/queries/quota/quota.ts'
import type { WaveRow } from '../../db/tables.ts'
import { callsPerRecipient } from '../../services/messages/forecast.ts'

/** At a slice's end: what it finished is counted on wave and ledger, and the run is not looked after for a minute. */
export async function foldSlice(db: Db, wave: WaveBrief): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lookInAMinute(trx, wave.messageId)
    await foldAndSettle(trx, wave, await lockWave(trx, wave.waveId))
  })
}

/** Counts finished batches on the wave and on the ledger; for transactions that do nothing else in between. */
export async function foldAndSettle(trx: Trx, wave: WaveBrief, locked: WaveRow): Promise<void> {
  const { folded } = await foldDone(trx, wave, locked)
  await settleFolded(trx, wave, locked, folded)
}

/** A wave's counters as they are now, and the batches that were added to them and are still to be settled. */
export type FoldedWave = { counters: WaveCounters; folded: Folded[] }

/** Counts finished batches on the wave, each once. Under its row lock; `settleFolded` follows in the same transaction. */
export async function foldDone(trx: Trx, wave: WaveBrief, locked: WaveRow): Promise<FoldedWave> {
  const folded = await takeDone(trx, wave.waveId)
  if (folded.length === 0) return { counters: locked, folded }
  const counters = withFolded(locked, folded)
  await setCounters(trx, wave.waveId, counters)
  return { counters, folded }
}

/**
 * Counts folded batches on the ledger: what they cost, and what had been reserved for them. Every message of the unit
 * waits here for the one before it, so it is the last that a transaction does.
 */
export async function settleFolded(
  trx: Trx,
  wave: WaveBrief,
  locked: WaveRow,
  folded: Folded[],
): Promise<void> {
  if (locked.state === 'cancelled') return // a cancel gives everything back at once
  for (const { channel, reserved, pushes } of folded) {
    const released = reserved * callsPerRecipient(wave.compiled, channel) - pushes
    await settle(trx, { waveId: wave.waveId, channel, month: locked.month, committed: pushes, released })
  }
}
