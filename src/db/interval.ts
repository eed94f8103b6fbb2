import { sql } from 'kysely'

/** An interval of so many ms. */
export function milliseconds(ms: number) {
  return sql`make_interval(secs => ${ms / 1000}::float8)`
}
