import { type RawBuilder, sql } from 'kysely'

/** Whether a text has `part` in it, in either case; null for null. Nothing in `part` is a pattern. */
export function contains(text: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  return sql`strpos(lower(${text}), lower(${part})) > 0`
}
