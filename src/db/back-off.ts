import { sql } from 'kysely'

const longestWaitSeconds = 600

/**
 * When a row that could not be worked off is tried again: after a second, then after twice as long each time, at last
 * every ten minutes. For the statement that counts this try: `tries` is the column as it was before.
 */
export const backOff = sql<Date>`clock_timestamp()
  + make_interval(secs => least(2 ^ least(tries, 10), ${sql.lit(longestWaitSeconds)}))`

/** After so many tries, an hour or so, something is wrong with the row and not with the moment. */
export const maxTries = 15
