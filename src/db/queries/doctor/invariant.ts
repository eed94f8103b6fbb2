import type { RawBuilder } from 'kysely'

/** An invariant, with a query for its violations, one line each: ids and numbers only. */
export type Invariant = { name: string; means: string; broken: RawBuilder<{ violation: string }> }
