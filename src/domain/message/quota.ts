import type { Threshold } from '../../contract/enums.ts'
import { daysIn, type Month } from '../lib/month.ts'

/** Shares of the unit's own allotment and of the shared pool. Counts of pushes. */
export type Halves = { unit: number; pool: number }

/** One row of the ledger: a scope's limit in a month, and what is reserved and committed. Counts of pushes. */
export type Account = { limit: number; reserved: number; committed: number }

const warningShare = 0.8

export const noHalves: Halves = { unit: 0, pool: 0 }

/** What is neither reserved nor committed on an account. */
export function available({ limit, reserved, committed }: Account): number {
  return limit - reserved - committed
}

/**
 * Divides pushes between a unit's own allotment and the pool: the unit's first, the rest from the pool. Null if both
 * together have too few.
 */
export function splitHalves(pushes: number, unitFree: number, poolFree: number): Halves | null {
  const unit = Math.min(pushes, unitFree)
  const pool = pushes - unit
  return pool <= poolFree ? { unit, pool } : null
}

/** The halves of a reservation to commit for `pushes`: the unit's half first. */
export function toCommit(held: Halves, pushes: number): Halves {
  const unit = Math.min(pushes, held.unit)
  return { unit, pool: pushes - unit }
}

/** The halves of a reservation to release for `pushes`: the pool's half first. */
export function toRelease(held: Halves, pushes: number): Halves {
  const pool = Math.min(pushes, held.pool)
  return { unit: pushes - pool, pool }
}

/** The sum of two pairs of halves. */
export function addHalves(a: Halves, b: Halves): Halves {
  return { unit: a.unit + b.unit, pool: a.pool + b.pool }
}

/** The negative of both halves. */
export function negateHalves(halves: Halves): Halves {
  return { unit: -halves.unit, pool: -halves.pool }
}

/** The total of both halves. */
export function sumHalves({ unit, pool }: Halves): number {
  return unit + pool
}

/** Days of a month that tell something about the rest of it. */
const tellingDays = 3

/** What is used by the end of a month if it goes on as it has begun; null in its first days, and of other months. `day`: today. */
export function forecastOf({ committed }: Account, month: Month, day: string): number | null {
  const passed = Number(day.slice(-2))
  if (day.slice(0, 7) !== month.slice(0, 7) || passed < tellingDays) return null
  return Math.round((committed / passed) * daysIn(month))
}

/** `warning` from 80 %, `exhausted` once nothing is available; a limit of 0 is always exhausted. */
export function thresholdOf(account: Account): Threshold {
  const used = account.reserved + account.committed
  if (used >= account.limit) return 'exhausted'
  return used >= account.limit * warningShare ? 'warning' : 'ok'
}
