import type { Trx } from '../../db/connect.ts'
import { lessUnknown, setCounters, type WaveCounters } from '../../db/queries/fold.ts'
import { repeatUnknown } from '../../db/queries/mail-repeat.ts'
import type { WaveBrief } from '../../db/queries/wave-brief.ts'
import { batchSizes } from './rows.ts'

/**
 * At a wave's end: where the category wants it, mail that stayed unknown is to be sent once more, under the same
 * Message-ID; it was counted and paid for, and is neither again. True: there is something to send. Under the wave's lock.
 */
export async function repeatDoubtful(trx: Trx, wave: WaveBrief, counters: WaveCounters): Promise<boolean> {
  if (wave.onUnknown !== 'repeat' || !counters.by_channel.email?.unknown) return false
  const moved = await repeatUnknown(trx, wave.waveId, batchSizes.email)
  if (moved > 0) await setCounters(trx, wave.waveId, lessUnknown(counters, 'email', moved))
  return moved > 0
}
