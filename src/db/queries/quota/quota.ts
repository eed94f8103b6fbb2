import type { Channel } from '../../../contract/enums.ts'
import type { Month } from '../../../domain/month.ts'
import { free, negative, plus, split, toCommit, toRelease, total } from '../../../domain/quota.ts'
import type { Trx } from '../../connect.ts'
import {
  change,
  lockAccount,
  lockAccounts,
  lockHeld,
  openReservation,
  poolScope,
  type Reservation,
  type ReservationKey,
  takeFromUnit,
} from './reservation.ts'

/**
 * The ledger (docs/decisions/0032-ledger.md). Every function here locks ledger rows until its transaction ends. Call it
 * last there, and for several channels in the order chat, email. Numbers are counts of pushes.
 */

/** `short`: how many pushes the unit and the pool together lack; nothing was changed then. */
export type Taken = { ok: true } | { ok: false; short: number }

/** Holds `pushes` more for a wave: the unit's own allotment first, the pool covers the rest. */
export async function reserve(
  trx: Trx,
  { pushes, ...key }: ReservationKey & { pushes: number },
): Promise<Taken> {
  await openReservation(trx, key)
  return take(trx, key, pushes)
}

/**
 * Makes what a wave holds in a channel exactly `pushes`, all of it in `month`: more is taken, less given
 * back, and what it held for another month, in which the send no longer falls, is given back there. What was
 * spent stays where it was.
 */
export async function trueUp(
  trx: Trx,
  { pushes, ...key }: ReservationKey & { pushes: number },
): Promise<Taken> {
  const held = await lockHeld(trx, [key.waveId], key.channel)
  const elsewhere = held.filter(({ month }) => month !== key.month)
  for (const other of elsewhere) if (other.month < key.month) await lockAccounts(trx, other, other.held)
  const reservation = await openReservation(trx, key)
  const missing = pushes - total(reservation.held)
  const taken: Taken = missing > 0 ? await take(trx, key, missing) : { ok: true }
  if (!taken.ok) return taken
  if (missing < 0) await giveBack(trx, reservation, -missing)
  for (const other of elsewhere) await giveBack(trx, other, total(other.held))
  return taken
}

async function take(trx: Trx, key: ReservationKey, pushes: number): Promise<Taken> {
  if (await takeFromUnit(trx, key, pushes)) return { ok: true }
  const { unitId, channel, month } = key
  const unitFree = free(await lockAccount(trx, { scope: unitId, channel, month }))
  // The pool's row is everybody's: it is locked only by those who need it.
  const poolFree = pushes > unitFree ? free(await lockAccount(trx, { scope: poolScope, channel, month })) : 0
  const halves = split(pushes, unitFree, poolFree)
  if (!halves) return { ok: false, short: pushes - unitFree - poolFree }
  await change(trx, key, { reserved: halves })
  return { ok: true }
}

/**
 * Of what a wave holds in a channel, `committed` were spent (the unit's half first) and `released` will not
 * be needed (the pool's half first). `month` is the wave's. Throws where it does not hold as many: the caller
 * has miscounted.
 */
export async function settle(
  trx: Trx,
  settled: { waveId: string; channel: Channel; month: Month; committed: number; released: number },
): Promise<void> {
  const { waveId, channel, month, committed, released } = settled
  if (committed + released === 0) return
  const held = await lockHeld(trx, [waveId], channel)
  const reservation = held.find((one) => one.month === month)
  if (!reservation || total(reservation.held) < committed + released)
    throw new Error(`wave ${waveId} settles ${committed} + ${released} pushes but holds fewer`)

  const spent = toCommit(reservation.held, committed)
  const unneeded = toRelease(plus(reservation.held, negative(spent)), released)
  const leaving = plus(spent, unneeded)
  await lockAccounts(trx, reservation, leaving)
  await change(trx, reservation, { reserved: negative(leaving), committed: spent })
}

/** Gives back whatever these waves still hold, in every channel. */
export async function releaseAll(trx: Trx, ...waveIds: string[]): Promise<void> {
  for (const reservation of await lockHeld(trx, waveIds)) {
    await giveBack(trx, reservation, total(reservation.held))
  }
}

async function giveBack(trx: Trx, reservation: Reservation, pushes: number): Promise<void> {
  const halves = toRelease(reservation.held, pushes)
  await lockAccounts(trx, reservation, halves)
  await change(trx, reservation, { reserved: negative(halves) })
}
