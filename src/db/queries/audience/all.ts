import { type RawBuilder, sql } from 'kysely'

/** Conditions that must all hold. */
export function all(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql`${sql.join(conditions, sql`\n          and `)}`
}

/** A producer may write any text; what is no id names nothing, and must not reach a column of ids. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
