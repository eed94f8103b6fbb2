import { type RawBuilder, sql } from 'kysely'

/** Whether a text has `part` in it, in either case; null for null. Nothing in `part` is a pattern. */
export function contains(text: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  return sql`strpos(lower(${text}), lower(${part})) > 0`
}

/** Whether a text of JSON has `part` in it in one of its languages. */
export function containsLocalised(text: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  return sql`(${contains(sql`${text} ->> 'zh-TW'`, part)} or ${contains(sql`${text} ->> 'en'`, part)})`
}

/** Whether a search finds a row of `table`: what it is called has the text in it, or the text is its id. */
export function foundBy(text: string, table: string, called: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql`(${called} or ${sql.ref(`${table}.id`)}::text = lower(${text}))`
}
