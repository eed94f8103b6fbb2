import { sql } from 'kysely'

/**
 * A condition that is always true and turns off synchronous commit for the transaction, so that transactions waiting
 * for its locks (the lanes of a wave, the messages of a unit) do not also wait for its disk flush. Use it for steps
 * that are repeated if the server crashes and loses them: claims, tallies, and a run's moves start, finish and expire.
 * Commits that must be durable stay synchronous: moves acknowledged to a caller, a call before its first try (with
 * everything before it), and its outcome.
 */
export const asyncCommit = sql<boolean>`set_config('synchronous_commit', 'off', true) is not null`
