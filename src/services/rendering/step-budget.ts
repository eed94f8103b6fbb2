import type { Logger } from 'pino'
import { limits } from '../../contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { chargeSteps } from '../../db/queries/rate/rate.ts'

/**
 * The steps of rendering that each unit has: a bucket that empties by so many a minute, and holds as many. All processes
 * charge it in Postgres, once a second for what they have rendered meanwhile: a render waits for no statement.
 */
export type StepBudget = {
  /** How long until a unit may render (ms); 0: it may now. */
  waitMs(unitId: string): number
  /** When a unit's work that has to wait should come back (ms): each at a time of its own. */
  laterMs(unitId: string): number
  charge(unitId: string, steps: number): void
  /** Charges what has not been charged yet. */
  flush(): Promise<void>
}

/**
 * `steps`: in the bucket at `at` (performance.now()), `pending` of them not yet charged. `next`: when work may come
 * back.
 */
type Account = { steps: number; at: number; pending: number; last: number; next: number }

const flushMs = 1_000
const shortestMs = 1_000

/** `perMinute`: 0 for no limit. */
export function openStepBudget(db: Db, log: Logger, perMinute: number): StepBudget {
  const accounts = new Map<string, Account>()
  const perMs = perMinute / 60_000
  let flushing: NodeJS.Timeout | undefined

  const accountOf = (unitId: string): Account => {
    const now = performance.now()
    const { steps, at, ...rest } = accounts.get(unitId) ?? {
      steps: 0,
      at: now,
      pending: 0,
      last: 0,
      next: 0,
    }
    const account = { ...rest, steps: Math.max(0, steps - (now - at) * perMs), at: now }
    accounts.set(unitId, account)
    return account
  }
  const waitMs = (unitId: string) =>
    perMinute === 0 ? 0 : Math.max(0, (accountOf(unitId).steps - perMinute) / perMs)

  async function flush(): Promise<void> {
    clearTimeout(flushing)
    flushing = undefined
    const charges = [...accounts].flatMap(([unitId, { pending: steps }]) =>
      steps > 0 ? [{ unitId, steps }] : [],
    )
    if (charges.length === 0 || perMinute === 0) return
    for (const { unitId, steps } of charges) accountOf(unitId).pending -= steps
    try {
      for (const { unitId, steps } of await chargeSteps(db, charges, perMinute)) {
        const account = accountOf(unitId)
        account.steps = steps + account.pending
      }
    } catch (err) {
      for (const { unitId, steps } of charges) accountOf(unitId).pending += steps
      log.warn({ err }, 'The steps of rendering could not be charged; they are charged with the next ones')
    }
  }

  return {
    waitMs,
    laterMs(unitId) {
      const account = accountOf(unitId)
      const each = perMinute === 0 ? 0 : Math.max(account.last, limits.renderStepsHere) / perMs
      const from = account.at + Math.max(waitMs(unitId), shortestMs)
      const at = Math.max(from, account.next)
      accountOf(unitId).next = at + each
      return at - account.at
    },
    charge(unitId, steps) {
      const account = accountOf(unitId)
      account.steps += steps
      account.pending += steps
      account.last = steps
      flushing ??= setTimeout(() => void flush(), flushMs).unref()
    },
    flush,
  }
}
