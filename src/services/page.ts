import type { ServiceError } from '../contract/errors.ts'
import { idOrNull, invalid } from './invalid.ts'

/** Every list answers this; `nextCursor` is null on the last page. */
export type Page<Item> = { items: Item[]; nextCursor: string | null }

/** A page of `limit` items out of `limit + 1` rows, the last of which only says that there are more. */
export function pageOf<Row, Item>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => string,
  itemOf: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return { items: shown.map(itemOf), nextCursor: more ? toCursor(keyOf(last)) : null }
}

function toCursor(key: string): string {
  return Buffer.from(key).toString('base64url')
}

/**
 * The key behind a cursor, or null at the first page.
 * @throws ServiceError validation_error for what no key can be: no database takes a NUL
 */
export function keyOf(cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const key = Buffer.from(cursor, 'base64url').toString()
  if (key.includes('\0')) throw noCursor()
  return key
}

/**
 * The id behind a cursor of a list that is ordered by id.
 * @throws ServiceError validation_error
 */
export function idOfCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const id = idOrNull(keyOf(cursor))
  if (id === null) throw noCursor()
  return id
}

/** A cursor that is none of ours. */
export function noCursor(): ServiceError {
  return invalid([{ path: 'cursor', message: 'is none of ours; use nextCursor of the answer before' }])
}
