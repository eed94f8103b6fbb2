import { parkWave, unparkWave } from '../../db/queries/parking.ts'
import { membersLeft } from '../../db/queries/wave.ts'
import type { WaveBrief } from '../../db/queries/wave-brief.ts'
import { monthOf } from '../../domain/month.ts'
import type { Services } from '../../services/context.ts'
import { lockMessage, waveUp } from '../../services/move.ts'
import { foldAndSettle } from './fold.ts'
import { coverWave } from './true-up.ts'

/**
 * Before a slice: is what it will send paid for? A wave that goes on in a later month takes the rest of its reservation
 * there; one that is parked for want of quota asks the ledger again when its probe is due. False: it waits.
 */
export async function readyToSend(
  { db, quotaTimeZone }: Pick<Services, 'db' | 'quotaTimeZone'>,
  wave: WaveBrief,
): Promise<boolean> {
  const parked = wave.parked === 'quota'
  const month = monthOf(wave.now, quotaTimeZone)
  if (parked && !wave.probeDue) return false
  if (!parked && month <= wave.month) return true
  return db.transaction().execute(async (trx) => {
    const up = waveUp(await lockMessage(trx, wave.messageId))
    if (up?.id !== wave.waveId || up.state !== 'sending') return false
    await foldAndSettle(trx, wave, up) // what was sent before is counted in the month it was sent in
    const covered = await coverWave(trx, wave, month, await membersLeft(trx, wave.waveId))
    if (!covered) await parkWave(trx, wave, { problem: 'quota', gate: true })
    else if (parked) await unparkWave(trx, wave)
    return covered
  })
}
