import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel } from '../../contract/enums.ts'
import type { Trx } from '../../db/connect.ts'
import { parkWave } from '../../db/queries/delivery/parking.ts'
import { ensureDeliveryPartition, insertDeliveries, type Written } from '../../db/queries/delivery/rows.ts'
import {
  setExpected,
  takeCapTurn,
  type WaveBrief,
  waveBrief,
  writeAlone,
} from '../../db/queries/delivery/wave.ts'
import { monthOf } from '../../domain/month.ts'
import type { Services } from '../../services/context.ts'
import { type LockedMessage, lockMessage, waveUp } from '../../services/messages/move.ts'
import { coverWave } from './account.ts'
import { beating, type Delivery, type Step } from './delivery.ts'

/** Members of a batch: the most that one provider call takes; for mail, what a kill may leave in doubt. */
export const batchSizes: Record<Channel, number> = { chat: 500, email: 64 }

/** How soon to ask again where somebody else writes rows. */
export const tryAgainMs = 500

/** The message was cancelled or expired while its rows were written: they are undone. */
class Overtaken extends Error {}

/**
 * Writes a row for everybody whom the audience, or a reminder, names, and the batches, once: of two attempts at the
 * same time one waits and finds it done. The rows come without holding message or wave; these are locked only to say
 * how many there are.
 */
export async function writeRows({ services }: Delivery, step: Step, waveId: string): Promise<void> {
  const { db } = services
  const wave = await waveBrief(db, waveId)
  if (!wave || wave.expected !== null) return
  await ensureDeliveryPartition(db, waveId)
  await beating(step, {}, async () => {
    while ((await writeOnce(services, wave)) === 'busy') await sleep(tryAgainMs)
  })
}

async function writeOnce(services: Services, wave: WaveBrief): Promise<'busy' | 'over'> {
  try {
    return await services.db.transaction().execute(async (trx) => {
      const alone = await writeAlone(trx, wave.waveId)
      if (alone !== 'ours') return alone === 'busy' ? 'busy' : 'over'
      if (!(await takeCapTurn(trx, wave))) return 'busy'
      const written = await insertDeliveries(trx, wave.waveId, wave, batchSizes)
      const locked = await lockMessage(trx, wave.messageId)
      if (!mayStand(locked, wave)) throw new Overtaken()
      await account(services, trx, locked, wave, written)
      return 'over'
    })
  } catch (error) {
    if (error instanceof Overtaken) return 'over'
    throw error
  }
}

/** Rows may stand while the wave is being sent, or will be again. Past the expiry they are skipped one by one. */
function mayStand(locked: LockedMessage, { waveId }: WaveBrief): boolean {
  const up = waveUp(locked)
  return up?.id === waveId && (up.state === 'sending' || up.state === 'paused')
}

/** What was written is what is expected, and what is paid for; short of quota, the wave is parked before it begins. */
export async function account(
  { quotaTimeZone }: Pick<Services, 'quotaTimeZone'>,
  trx: Trx,
  { now }: LockedMessage,
  wave: WaveBrief,
  written: Written,
): Promise<void> {
  await setExpected(trx, wave.waveId, written)
  const month = monthOf(new Date(now), quotaTimeZone)
  if (!(await coverWave(trx, wave, month, pendingOf(written))))
    await parkWave(trx, wave, { problem: 'quota', gate: true })
}

/** Deliveries that are to be made, by channel. */
function pendingOf({ byChannel }: Written): Partial<Record<Channel, number>> {
  const pending = Object.entries(byChannel).map(([channel, { expected, skipped }]) => [
    channel,
    expected - Object.values(skipped).reduce((sum, count) => sum + count, 0),
  ])
  return Object.fromEntries(pending)
}
