import type { Threshold } from '../contract/enums.ts'

/** What is taken from a unit's own allotment and from the shared pool. Counts of pushes. */
export type Halves = { unit: number; pool: number }

/**
 * One row of the ledger: what a scope may use in a month, what is promised, what is spent. Counts of pushes.
 */
export type Account = { limit: number; reserved: number; committed: number }

const warningShare = 0.8

export const noHalves: Halves = { unit: 0, pool: 0 }

/** What of an account is neither promised nor spent. */
export function available({ limit, reserved, committed }: Account): number {
  return limit - reserved - committed
}

/**
 * Divides pushes between a unit's own allotment and the pool: the unit's first, the pool covers the rest.
 * Null when both together fall short.
 */
export function splitHalves(pushes: number, unitFree: number, poolFree: number): Halves | null {
  const unit = Math.min(pushes, unitFree)
  const pool = pushes - unit
  return pool <= poolFree ? { unit, pool } : null
}

/** Which halves of what is held become spent when `pushes` are: the unit's half first. */
export function toCommit(held: Halves, pushes: number): Halves {
  const unit = Math.min(pushes, held.unit)
  return { unit, pool: pushes - unit }
}

/** Which halves of what is held are given back when `pushes` are: the pool's half first. */
export function toRelease(held: Halves, pushes: number): Halves {
  const pool = Math.min(pushes, held.pool)
  return { unit: pushes - pool, pool }
}

/** Both together, half by half. */
export function addHalves(a: Halves, b: Halves): Halves {
  return { unit: a.unit + b.unit, pool: a.pool + b.pool }
}

/** The same taken away. */
export function negateHalves(halves: Halves): Halves {
  return { unit: -halves.unit, pool: -halves.pool }
}

/** What both halves come to. */
export function sumHalves({ unit, pool }: Halves): number {
  return unit + pool
}

/** `warning` from 80 % on, `exhausted` when nothing is free; a limit of 0 is exhausted from the start. */
export function thresholdOf(account: Account): Threshold {
  const used = account.reserved + account.committed
  if (used >= account.limit) return 'exhausted'
  return used >= account.limit * warningShare ? 'warning' : 'ok'
}
