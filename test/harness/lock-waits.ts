import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db, Trx } from '../../src/db/connect.ts'
import { eventually } from './eventually.ts'

/** Resolves once `count` sessions wait for a lock in this database. */
export async function waitForBlocked(db: Db, count = 1): Promise<void> {
  const waiting = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await eventually(async () => expect((await waiting.execute(db)).rows.length).toBeGreaterThanOrEqual(count))
}

/** Runs `work` in a transaction that stays open. Returns the function that commits it. */
export async function holdTransaction(
  db: Db,
  work: (trx: Trx) => Promise<unknown>,
): Promise<() => Promise<unknown>> {
  const worked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holder = db.transaction().execute(async (trx) => {
    await work(trx)
    worked.resolve()
    await release.promise
  })
  await Promise.race([worked.promise, holder])
  return () => {
    release.resolve()
    return holder
  }
}

/**
 * Starts `second` while `first` has written and not committed, and commits `first` once `second` waits for a lock and
 * `meanwhile` has run. Returns the result of `second`.
 */
export async function commitWhileBlocked<T>(
  db: Db,
  first: (trx: Trx) => Promise<unknown>,
  second: () => Promise<T>,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<T> {
  const commit = await holdTransaction(db, first)
  const waiting = second()
  // It may fail before the commit has returned; whoever awaits it gets the error.
  waiting.catch(() => undefined)
  try {
    await waitForBlocked(db)
    await meanwhile()
  } finally {
    await commit()
  }
  return waiting
}
