import { callsPerRecipient } from '../../channels/channel.ts'
import type { Trx } from '../../db/connect.ts'
import { setCounters, subtractPending } from '../../db/queries/delivery/counters.ts'
import { reviveRefused } from '../../db/queries/delivery/move-mails.ts'
import { parkWave } from '../../db/queries/delivery/parking.ts'
import { lockWave, type WaveInfo } from '../../db/queries/delivery/wave.ts'
import { reserve } from '../../db/queries/quota/quota.ts'
import { withSavepoint } from '../../db/savepoint.ts'
import { batchSizes } from './write-deliveries.ts'

/**
 * Parks a wave whose mail server is doubted, and takes back what was believed of it before: recipients who were
 * refused, and whose suppression was lifted, are pending again if quota covers them. Requires the locks of message and
 * wave; locks the ledger last.
 */
export async function parkForDoubt(trx: Trx, wave: WaveInfo): Promise<void> {
  await parkWave(trx, wave, { problem: 'unknown_recipients', gate: false })
  const locked = await lockWave(trx, wave.waveId)
  if (locked.state !== 'sending' && locked.state !== 'paused') return
  await withSavepoint(trx, async () => {
    const { waveId, unitId, compiled } = wave
    const { counted } = await reviveRefused(trx, waveId, batchSizes.email)
    if (counted === 0) return counted
    await setCounters(trx, waveId, subtractPending(locked, 'email', 'failed', counted))
    const pushes = counted * callsPerRecipient(compiled, 'email')
    const { ok } = await reserve(trx, { waveId, unitId, channel: 'email', month: locked.month, pushes })
    return ok ? counted : null
  })
}
