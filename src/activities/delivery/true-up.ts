import { sql } from 'kysely'
import type { Trx } from '../../db/connect.ts'
import { trueUp } from '../../db/queries/quota.ts'
import { setMonth } from '../../db/queries/wave.ts'
import type { WaveBrief } from '../../db/queries/wave-brief.ts'
import type { Channel } from '../../domain/channel-plan.ts'
import { callsPerRecipient } from '../../services/messages/compile.ts'

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
