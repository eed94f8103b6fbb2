import type { ServiceError } from '../contract/errors.ts'
import type { RowPage } from '../db/rows.ts'
import { idOrNull, validationError } from './validation-error.ts'

/** Every list answers this; `nextCursor` is null on the last page. */
export type Page<Item> = { items: Item[]; nextCursor: string | null }

/** How a page is asked for; without a cursor, the first one. */
export type PageQuery = { cursor?: string | undefined; limit: number }

/** What a list is ordered by: its key in a row, as the cursor keeps it, and read again; null for what can be no key. */
export type Key<Row, Value> = { of(row: Row): string; read(text: string): Value | null }

/** A list that is ordered by the ids of its rows, UUIDs. */
export const byId: Key<{ id: string }, string> = { of: ({ id }) => id, read: idOrNull }

/** A list that is ordered by a text. */
export function byText<Row>(of: (row: Row) => string): Key<Row, string> {
  return { of, read: (text) => text }
}

/** A list that is ordered by ids that are words. */
export const byTextId = byText(({ id }: { id: string }) => id)

/** A list that is ordered by a whole number of at most so many digits, as its column can hold. */
export function byNumber<Row>(of: (row: Row) => number, digits: number): Key<Row, number> {
  const read = (text: string) => (/^\d+$/.test(text) && text.length <= digits ? Number(text) : null)
  return { of: (row) => String(of(row)), read }
}

/**
 * One page of a list. `rowsOf` is asked for one row more than are shown, which only says that there are more.
 * @throws ServiceError validation_error for a cursor that is none of ours
 */
export async function pageOf<Row, Value, Item>(
  { cursor, limit }: PageQuery,
  key: Key<NoInfer<Row>, Value>,
  rowsOf: (page: RowPage<Value>) => Promise<Row[]>,
  itemOf: (row: Row) => Item,
): Promise<Page<Item>> {
  const after = cursor === undefined ? null : keyIn(cursor, key.read)
  const rows = await rowsOf({ after, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return { items: shown.map(itemOf), nextCursor: more ? toCursor(key.of(last)) : null }
}

function toCursor(key: string): string {
  return Buffer.from(key).toString('base64url')
}

function keyIn<Value>(cursor: string, read: (text: string) => Value | null): Value {
  const text = Buffer.from(cursor, 'base64url').toString()
  // No database takes a NUL.
  const key = text.includes('\0') ? null : read(text)
  if (key === null) throw noCursor()
  return key
}

function noCursor(): ServiceError {
  return validationError([
    { path: 'cursor', message: 'is none of ours; use nextCursor of the answer before' },
  ])
}
