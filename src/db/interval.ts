import { sql } from 'kysely'

/** An interval of `ms` milliseconds. */
export function milliseconds(ms: number) {
  return sql`make_interval(secs => ${ms / 1000}::float8)`
}

/** The moment `ms` from now by Postgres' clock; null for 0. */
export function msFromNow(ms: number) {
  return ms > 0 ? sql<Date>`clock_timestamp() + ${milliseconds(ms)}` : sql<null>`null`
}
