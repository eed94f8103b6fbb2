import type { Channel } from '../../../contract/enums.ts'
import type { Month } from '../../../domain/lib/month.ts'
import {
  addHalves,
  available,
  type Halves,
  negateHalves,
  splitHalves,
  sumHalves,
  toCommit,
  toRelease,
} from '../../../domain/message/quota.ts'
import type { Trx } from '../../connect.ts'
import {
  changeReservation,
  closeReservation,
  lockAccount,
  lockAccounts,
  lockReservations,
  openReservation,
  openWithUnit,
  poolScope,
  type Reservation,
  type ReservationKey,
  takeFromUnit,
} from './reservation.ts'

/**
 * The ledger (docs/design/quota.md). Every function here locks ledger rows until its transaction ends: call it
 * last in the transaction, and for several channels in the order chat, email. Numbers are counts of pushes.
 */

/** `short`: how many pushes the unit and the pool together lack; nothing is changed then. */
type ReserveResult = { ok: true } | { ok: false; short: number }

/** Reserves `pushes` more for a wave: from the unit's own allotment first, the rest from the pool. */
export async function reserve(
  trx: Trx,
  { pushes, ...key }: ReservationKey & { pushes: number },
): Promise<ReserveResult> {
  if (await openWithUnit(trx, key, pushes)) return { ok: true }
  return takeHalves(trx, key, pushes)
}

/**
 * Sets a wave's reservation in a channel to exactly `pushes`, all in `month`: takes or releases the difference, and
 * releases what it holds in other months, in which the send no longer falls. Committed pushes stay where they are.
 */
export async function adjustReservation(
  trx: Trx,
  { pushes, ...key }: ReservationKey & { pushes: number },
): Promise<ReserveResult> {
  const held = await lockReservations(trx, [key.waveId], key.channel)
  if (isExactly(held, key.month, pushes)) return { ok: true }
  const elsewhere = held.filter(({ month }) => month !== key.month)
  for (const other of elsewhere) if (other.month < key.month) await lockAccounts(trx, other, other.held)
  const reservation = await openReservation(trx, key)
  const missing = pushes - sumHalves(reservation.held)
  const result: ReserveResult = missing > 0 ? await takePushes(trx, key, missing) : { ok: true }
  if (!result.ok) return result
  if (missing < 0) await releasePushes(trx, reservation, -missing)
  for (const other of elsewhere) await releasePushes(trx, other, sumHalves(other.held))
  return result
}

async function takePushes(trx: Trx, key: ReservationKey, pushes: number): Promise<ReserveResult> {
  return (await takeFromUnit(trx, key, pushes)) ? { ok: true } : takeHalves(trx, key, pushes)
}

/** Whether a wave holds just this in a channel, or nothing where nothing is needed. */
function isExactly(held: readonly Reservation[], month: Month, pushes: number): boolean {
  const [one] = held
  return one === undefined
    ? pushes === 0
    : held.length === 1 && one.month === month && sumHalves(one.held) === pushes
}

/** Takes what the unit's account has, and the rest from the pool. */
async function takeHalves(trx: Trx, key: ReservationKey, pushes: number): Promise<ReserveResult> {
  const { unitId, channel, month } = key
  const unitFree = available(await lockAccount(trx, { scope: unitId, channel, month }))
  // All units share the pool's row: lock it only if needed.
  const poolFree =
    pushes > unitFree ? available(await lockAccount(trx, { scope: poolScope, channel, month })) : 0
  const halves = splitHalves(pushes, unitFree, poolFree)
  if (!halves) return { ok: false, short: pushes - unitFree - poolFree }
  await changeReservation(trx, key, { reserved: halves })
  return { ok: true }
}

/**
 * Settles part of a wave's reservation in a channel: `committed` pushes were spent (the unit's half first), `released`
 * are not needed (the pool's half first). `month` is the wave's.
 * @throws Error if the wave holds fewer: the caller has miscounted
 */
export async function settleReservation(trx: Trx, settled: Settled): Promise<void> {
  const { waveId, channel, committed, released } = settled
  if (committed + released > 0) await settleHeld(trx, await lockReservations(trx, [waveId], channel), settled)
}

/** The part of a reservation to settle. */
export type Settled = {
  waveId: string
  channel: Channel
  month: Month
  committed: number
  released: number
}

/**
 * Settles batches of a wave that has ended, and releases what waves that have ended still hold; all channels at once.
 * @throws Error if a wave holds fewer
 */
export async function settleAndRelease(
  trx: Trx,
  settled: readonly Settled[],
  endedWaveIds: readonly string[],
): Promise<void> {
  const [only] = settled
  if (settled.length === 1 && only && endedWaveIds.includes(only.waveId)) {
    if (await closeReservation(trx, only, endedWaveIds)) return
  }
  let left = await lockHoldings(trx, [...new Set([...settled.map(({ waveId }) => waveId), ...endedWaveIds])])
  for (const part of settled) left = await settleHeld(trx, left, part)
  await releaseHeld(
    trx,
    left.filter(({ waveId }) => endedWaveIds.includes(waveId)),
  )
}

/**
 * The same for a wave whose reservations are locked already (`held`); returns them as they are then.
 * @throws Error if the wave holds fewer
 */
async function settleHeld(
  trx: Trx,
  held: readonly Reservation[],
  { waveId, channel, month, committed, released }: Settled,
): Promise<Reservation[]> {
  if (committed + released === 0) return [...held]
  const isSettled = (one: Reservation) =>
    one.waveId === waveId && one.channel === channel && one.month === month
  const reservation = held.find(isSettled)
  if (!reservation || sumHalves(reservation.held) < committed + released)
    throw new Error(`wave ${waveId} settles ${committed} + ${released} pushes but holds fewer`)

  const spent = toCommit(reservation.held, committed)
  const unneeded = toRelease(addHalves(reservation.held, negateHalves(spent)), released)
  const leaving = addHalves(spent, unneeded)
  await lockBoth(trx, reservation, leaving)
  await changeReservation(trx, reservation, { reserved: negateHalves(leaving), committed: spent })
  const left = { ...reservation, held: addHalves(reservation.held, negateHalves(leaving)) }
  return held.map((one) => (isSettled(one) ? left : one))
}

/** Locks two accounts in their order; a change of a single one locks it by itself. */
async function lockBoth(trx: Trx, reservation: Reservation, halves: Halves): Promise<void> {
  if (halves.unit !== 0 && halves.pool !== 0) await lockAccounts(trx, reservation, halves)
}

/**
 * Locks everything that these waves hold, before several steps of a transaction settle or release it: the accounts in
 * the lock order, whichever of them each step changes. A single account has no order, and is left to those steps.
 * Returns the reservations.
 */
async function lockHoldings(trx: Trx, waveIds: readonly string[]): Promise<Reservation[]> {
  const reservations = await lockReservations(trx, waveIds)
  const byMonth = Map.groupBy(reservations, ({ channel, month }) => `${channel} ${month}`)
  const sums = [...byMonth.values()].map((group) => ({
    ...group[0]!,
    held: group.map(({ held }) => held).reduce(addHalves),
  }))
  const accounts = sums.flatMap(({ held }) => [held.unit, held.pool].filter((pushes) => pushes !== 0))
  if (accounts.length > 1) for (const one of sums) await lockAccounts(trx, one, one.held)
  return reservations
}

/** Releases everything that these waves still hold, in all channels. */
export async function releaseAll(trx: Trx, ...waveIds: string[]): Promise<void> {
  await releaseHeld(trx, await lockHoldings(trx, waveIds))
}

/** Releases everything that is left of these reservations, which are locked (`lockHoldings`). */
async function releaseHeld(trx: Trx, held: readonly Reservation[]): Promise<void> {
  for (const reservation of held)
    if (sumHalves(reservation.held) > 0) await releasePushes(trx, reservation, sumHalves(reservation.held))
}

async function releasePushes(trx: Trx, reservation: Reservation, pushes: number): Promise<void> {
  const halves = toRelease(reservation.held, pushes)
  await lockBoth(trx, reservation, halves)
  await changeReservation(trx, reservation, { reserved: negateHalves(halves) })
}
