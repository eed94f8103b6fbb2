import { type RawBuilder, sql } from 'kysely'

/** Conditions that must all hold. */
export function all(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql`${sql.join(conditions, sql`\n          and `)}`
}
