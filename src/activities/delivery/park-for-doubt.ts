import { sql } from 'kysely'
import { callsPerRecipient } from '../../channels/channel.ts'
import type { Trx } from '../../db/connect.ts'
import { setCounters, subtractPending } from '../../db/queries/delivery/counters.ts'
import { parkWave } from '../../db/queries/delivery/parking.ts'
import { reviveRefused } from '../../db/queries/delivery/revive.ts'
import { lockWave, type WaveInfo } from '../../db/queries/delivery/wave.ts'
import { reserve } from '../../db/queries/quota/quota.ts'
import { batchSizes } from './write-deliveries.ts'

/**
 * Parks a wave whose mail server is doubted, and takes back what was believed of it before: recipients who were refused, and
 * whose suppression was lifted, are pending again if quota covers them. Requires the locks of message and wave; locks the
 * ledger last.
 */
export async function parkForDoubt(trx: Trx, wave: WaveInfo): Promise<void> {
  await parkWave(trx, wave, { problem: 'unknown_recipients', gate: false })
  const locked = await lockWave(trx, wave.waveId)
  if (locked.state !== 'sending' && locked.state !== 'paused') return
  await sql`savepoint revived`.execute(trx)
  const { counted } = await reviveRefused(trx, wave.waveId, batchSizes.email)
  if (counted === 0) return
  await setCounters(trx, wave.waveId, subtractPending(locked, 'email', 'failed', counted))
  const { waveId, unitId, compiled } = wave
  const pushes = counted * callsPerRecipient(compiled, 'email')
  const reserved = await reserve(trx, { waveId, unitId, channel: 'email', month: locked.month, pushes })
  if (!reserved.ok) await sql`rollback to savepoint revived`.execute(trx)
}
