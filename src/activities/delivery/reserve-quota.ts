import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { callsPerRecipient } from '../../channels/channel.ts'
import type { Channel } from '../../contract/enums.ts'
import type { Trx } from '../../db/connect.ts'
import type { WrittenCounts } from '../../db/queries/delivery/deliveries.ts'
import { parkWave, unparkWave } from '../../db/queries/delivery/parking.ts'
import {
  countUncountedMembers,
  findActiveWaveInfo,
  openWave,
  setMonth,
  type WaveInfo,
} from '../../db/queries/delivery/wave.ts'
import { adjustReservation } from '../../db/queries/quota/quota.ts'
import type { Reserved } from '../../db/queries/quota/reservation.ts'
import { monthOf } from '../../domain/lib/month.ts'
import type { Services } from '../../services/context.ts'
import { activeWave, lockMessage } from '../../services/messages/move.ts'
import { pendingOf } from './check-audience.ts'
import { type ActivityAttempt, type DeliveryContext, withHeartbeat } from './context.ts'

/** Deliveries by channel. */
type Deliveries = Partial<Record<Channel, number>>

/**
 * Sets the reservation of the wave that is being sent to exactly what its remaining deliveries cost, in this month by
 * Postgres' clock, and lets them be sent; if quota is short, parks the wave before it sends. It sets and never adds, so
 * that it may be repeated. Does nothing to a wave that was paused or ended meanwhile.
 */
export async function reserveQuota(
  { services }: DeliveryContext,
  step: ActivityAttempt,
  messageId: string,
): Promise<void> {
  await withHeartbeat(step, {}, () => reserveOnce(services, messageId))
}

async function reserveOnce(services: Services, messageId: string): Promise<void> {
  const wave = await findActiveWaveInfo(services.db, messageId)
  if (!wave) return
  await services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, messageId)
    const up = activeWave(locked)
    if (up?.id !== wave.waveId || up.state !== 'sending' || up.expected === null) return
    const held = { ...wave, month: up.month }
    const remaining = await countUncountedMembers(trx, up.id)
    const month = monthOf(new Date(locked.now), services.quotaTimeZone)
    if (!(await reserveOrPark(trx, held, month, remaining))) return
    if (up.unreserved) await openWave(trx, up.id)
    if (up.parked === 'quota') await unparkWave(trx, wave)
  })
}

/** Reserves quota for the deliveries of a wave in `month`; if it is short, parks the wave and returns false. */
export async function reserveOrPark(
  trx: Trx,
  wave: WaveInfo,
  month: string,
  deliveries: Deliveries,
): Promise<boolean> {
  if (await reserveForWave(trx, wave, month, deliveries)) return true
  await parkWave(trx, wave, { problem: 'quota', gate: true })
  return false
}

/** Whether a wave holds just what these deliveries cost, in the month in which it is sent. */
export function isReservedFor(
  { reserved, month, compiled, plan }: WaveInfo,
  thisMonth: string,
  counts: WrittenCounts,
): boolean {
  const pending = pendingOf(counts)
  const costs = plan.channels.flatMap((channel): Reserved[] => {
    const pushes = (pending[channel] ?? 0) * callsPerRecipient(compiled, channel)
    return pushes > 0 ? [{ channel, month, pushes }] : []
  })
  const isHeld = (cost: Reserved) => reserved.some((one) => isDeepStrictEqual(one, cost))
  return thisMonth <= month && reserved.length === costs.length && costs.every(isHeld)
}

/**
 * Adjusts a wave's reservation to exactly these deliveries by channel, in `month`; if that is later than the wave's
 * month, the wave moves to it. False, and no change, if unit and pool together are short. The caller holds the wave's
 * lock, and takes no lock after the ledger's.
 */
export async function reserveForWave(
  trx: Trx,
  wave: WaveInfo,
  month: string,
  deliveries: Deliveries,
): Promise<boolean> {
  const later = month > wave.month
  if (!later && wave.plan.channels.length === 1) return reserveInMonth(trx, wave, wave.month, deliveries)
  await sql`savepoint cover`.execute(trx)
  if (await reserveInMonth(trx, wave, later ? month : wave.month, deliveries)) return true
  await sql`rollback to savepoint cover`.execute(trx)
  return false
}

async function reserveInMonth(
  trx: Trx,
  wave: WaveInfo,
  month: string,
  deliveries: Deliveries,
): Promise<boolean> {
  const { waveId, unitId, compiled, plan } = wave
  if (month !== wave.month) await setMonth(trx, waveId, month)
  for (const channel of plan.channels.toSorted()) {
    const pushes = (deliveries[channel] ?? 0) * callsPerRecipient(compiled, channel)
    if (!(await adjustReservation(trx, { waveId, unitId, channel, month, pushes })).ok) return false
  }
  return true
}
