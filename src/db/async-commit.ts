import { sql } from 'kysely'

/**
 * A condition that is always true; the transaction's commit then does not wait for the disk, so that whoever waits for
 * its locks (the lanes of a wave, the messages of a unit) need not queue for the disk behind it. For steps that are
 * done again when the server dies and takes them along: claims, the beginning, the counting and the closing. What must
 * be known for certain does wait: moves that were answered, a call before its first try (and whatever came before it),
 * and its outcome.
 */
export const asyncCommit = sql<boolean>`set_config('synchronous_commit', 'off', true) is not null`
