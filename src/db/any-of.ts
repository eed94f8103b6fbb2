import { type RawBuilder, sql } from 'kysely'

/** The right side of `id = any of these`. Unlike `in`, it may be of none, and then nothing fits. */
export function anyOf(ids: readonly string[]): RawBuilder<string> {
  return sql<string>`any(${ids}::uuid[])`
}
