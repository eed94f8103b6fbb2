import type { RawBuilder } from 'kysely'

/**
 * A rule that must always hold, with a query that finds what breaks it, one line each: ids and numbers only.
 */
export type Invariant = { name: string; means: string; broken: RawBuilder<{ violation: string }> }
