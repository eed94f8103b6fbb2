import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import { parkWave, unparkWave } from '../../db/queries/delivery/parking.ts'
import { membersLeft, setMonth, type WaveBrief } from '../../db/queries/delivery/wave.ts'
import { trueUp } from '../../db/queries/quota/quota.ts'
import type { Channel } from '../../domain/channel-plan.ts'
import { monthOf } from '../../domain/month.ts'
import type { Services } from '../../services/context.ts'
import { callsPerRecipient } from '../../services/messages/forecast.ts'
import { lockMessage, waveUp } from '../../services/messages/move.ts'
import { foldAndSettle } from './count-finished.ts'

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

/**
 * Makes a wave's reservation cover exactly so many deliveries by channel, in `month`; where that is later than the
 * wave's, the wave is counted there from now on. False, and nothing is changed, where unit and pool together are short.
 * Under the wave's lock; the ledger is the last lock of the transaction.
 */
export async function coverWave(
  trx: Trx,
  wave: WaveBrief,
  month: string,
  deliveries: Partial<Record<Channel, number>>,
): Promise<boolean> {
  const later = month > wave.month
  if (!later && wave.plan.channels.length === 1) return cover(trx, wave, wave.month, deliveries)
  await sql`savepoint cover`.execute(trx)
  if (await cover(trx, wave, later ? month : wave.month, deliveries)) return true
  await sql`rollback to savepoint cover`.execute(trx)
  return false
}

async function cover(
  trx: Trx,
  wave: WaveBrief,
  month: string,
  deliveries: Partial<Record<Channel, number>>,
): Promise<boolean> {
  const { waveId, unitId, compiled, plan } = wave
  if (month !== wave.month) await setMonth(trx, waveId, month)
  for (const channel of plan.channels.toSorted()) {
    const pushes = (deliveries[channel] ?? 0) * callsPerRecipient(compiled, channel)
    if (!(await trueUp(trx, { waveId, unitId, channel, month, pushes })).ok) return false
  }
  return true
}
