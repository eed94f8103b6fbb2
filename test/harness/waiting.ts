import { sql } from 'kysely'
import type { Db, Trx } from '../../src/db/connect.ts'

/** Resolves once so many wait for a lock in this database. */
export async function untilWaiting(db: Db, count = 1): Promise<void> {
  const waiting = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await waiting.execute(db)).rows.length < count);
}

/**
 * Begins `second` while `first` has written and not committed, and commits once the second one waits; `meanwhile` comes
 * right before that. Answers what the second one came to.
 */
export async function whileItWaits<T>(
  db: Db,
  first: (trx: Trx) => Promise<unknown>,
  second: () => Promise<T>,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<T> {
  const written = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holder = db.transaction().execute(async (trx) => {
    await first(trx)
    written.resolve()
    await release.promise
  })
  await Promise.race([written.promise, holder])
  const waiting = second()
  await untilWaiting(db)
  await meanwhile()
  release.resolve()
  await holder
  return waiting
}
