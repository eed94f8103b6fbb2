import { type RawBuilder, sql } from 'kysely'

/** The right side of `id = any(…)`. Unlike `in`, it accepts an empty list, which matches nothing. */
export function anyOf(ids: readonly string[]): RawBuilder<string> {
  return sql<string>`any(${ids}::uuid[])`
}
