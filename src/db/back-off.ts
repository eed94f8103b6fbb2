import { type RawBuilder, sql } from 'kysely'

const longestWaitSeconds = 600

/**
 * When a failed row is retried: after one second, then twice as long each time, up to ten minutes. For the statement
 * that counts this try: `tries` is the column's value before it.
 */
export const backOff = backOffAfter(sql`tries`)

/** The same where the tries before this one stand in another column. */
export function backOffAfter(tries: RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`clock_timestamp()
  + make_interval(secs => least(2 ^ least(${tries}, 10), ${sql.lit(longestWaitSeconds)}))`
}

/** After this many tries (about an hour) the cause is the row itself, not a temporary failure. */
export const maxTries = 15
