import type { Db, Trx } from '../../db/connect.ts'
import { setCounters, takeDone, type WaveCounters, withFolded } from '../../db/queries/fold.ts'
import type { WaveRow } from '../../db/queries/locked-message.ts'
import { settle } from '../../db/queries/quota.ts'
import { lockWave, lookInAMinute } from '../../db/queries/wave.ts'
import type { WaveBrief } from '../../db/queries/wave-brief.ts'
import { callsPerRecipient } from '../../services/messages/compile.ts'

/** At a slice's end: what it finished is counted on wave and ledger, and the run is not looked after for a minute. */
export async function foldSlice(db: Db, wave: WaveBrief): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lookInAMinute(trx, wave.messageId)
    await foldDone(trx, wave, await lockWave(trx, wave.waveId))
  })
}

/**
 * Counts finished batches, each once: sums on the wave, and on the ledger what they cost against what was reserved for
 * them. Under the wave's row lock; the ledger is the last lock of the transaction. Answers the wave's new counters.
 */
export async function foldDone(trx: Trx, wave: WaveBrief, locked: WaveRow): Promise<WaveCounters> {
  const folded = await takeDone(trx, wave.waveId)
  if (folded.length === 0) return locked
  const counters = withFolded(locked, folded)
  await setCounters(trx, wave.waveId, counters)
  if (locked.state === 'cancelled') return counters // a cancel gives everything back at once
  for (const { channel, reserved, pushes } of folded) {
    const released = reserved * callsPerRecipient(wave.compiled, channel) - pushes
    await settle(trx, { waveId: wave.waveId, channel, month: locked.month, committed: pushes, released })
  }
  return counters
}
