import type { ServiceError } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { broken } from '../contract/rules.ts'
import type { RowPage } from '../db/rows.ts'
import { idOrNull } from '../domain/lib/id.ts'
import { validationError } from './validation-error.ts'

/** A page of a list; `nextCursor` is null on the last one. */
export type Page<Item> = { items: Item[]; nextCursor: string | null }

/** The request for a page; without a cursor, the first one. */
export type PageQuery = { cursor?: string | undefined; limit: number }

/** The sort key of a list: `of` writes a row's key for the cursor, `read` parses it; null if it is malformed. */
export type Key<Row, Value> = { of(row: Row): string; read(text: string): Value | null }

/** For a list ordered by UUID. */
export const byId: Key<{ id: string }, string> = { of: ({ id }) => id, read: idOrNull }

/** For a list ordered by a text. */
export function byText<Row>(of: (row: Row) => string): Key<Row, string> {
  return { of, read: (text) => text }
}

/** For a list ordered by ids that are words. */
export const byTextId = byText(({ id }: { id: string }) => id)

/** For a list ordered by a whole number of at most `digits` digits, as its column can hold. */
export function byNumber<Row>(of: (row: Row) => number, digits: number): Key<Row, number> {
  const read = (text: string) => (/^\d+$/.test(text) && text.length <= digits ? Number(text) : null)
  return { of: (row) => String(of(row)), read }
}

/** How many rows of a list of large items are read at a time: what a page does not take is read for nothing. */
export const largeItems = { slice: 10 } as const

/**
 * One page of a list. It ends before its items exceed `limits.pageBytes` as JSON, and has one item at least. `rowsOf`
 * gets a limit of one row more than is shown, to tell whether there are more. `slice`: how many rows are read at a
 * time; omitted: as many as the page may show, which suits small ones.
 * @throws ServiceError validation_error for an invalid cursor
 */
export async function pageOf<Row, Value, Item>(
  { cursor, limit }: PageQuery,
  key: Key<NoInfer<Row>, Value>,
  rowsOf: (page: RowPage<Value>) => Promise<Row[]>,
  itemOf: (row: Row) => Item,
  { slice = limit }: { slice?: number } = {},
): Promise<Page<Item>> {
  const items: Item[] = []
  let bytes = 0
  let after = cursor === undefined ? null : keyIn(cursor, key.read)
  for (let last: Row | undefined; ; ) {
    const wanted = Math.min(slice, limit - items.length)
    const rows = await rowsOf({ after, limit: wanted + 1 })
    for (const row of rows.slice(0, wanted)) {
      const item = itemOf(row)
      bytes += Buffer.byteLength(JSON.stringify(item))
      if (last !== undefined && bytes > limits.pageBytes) return { items, nextCursor: toCursor(key.of(last)) }
      items.push(item)
      last = row
    }
    if (rows.length <= wanted || last === undefined) return { items, nextCursor: null }
    if (items.length === limit) return { items, nextCursor: toCursor(key.of(last)) }
    after = key.read(key.of(last))
  }
}

function toCursor(key: string): string {
  return Buffer.from(key).toString('base64url')
}

function keyIn<Value>(cursor: string, read: (text: string) => Value | null): Value {
  const text = Buffer.from(cursor, 'base64url').toString()
  // Node decodes anything, even to an empty key, which would be the first page again. Postgres rejects NUL characters.
  const key = text === '' || toCursor(text) !== cursor || text.includes('\0') ? null : read(text)
  if (key === null) throw noCursor()
  return key
}

function noCursor(): ServiceError {
  return validationError([{ path: 'cursor', ...broken('wrong_format', { format: 'cursor' }) }])
}

/** A list whose reading the audit log records: `audit` with what is said of it there. */
export type AuditedList<Item> = {
  page(query: PageQuery): Promise<Page<Item>>
  audit(details?: object): Promise<void>
}

/** One page of a list, recorded in the audit log. */
export async function auditedPage<Item>(list: AuditedList<Item>, query: PageQuery): Promise<Page<Item>> {
  await list.audit()
  return list.page(query)
}

/**
 * All items of a list, a page at a time. At the end, also where the reader breaks off, the audit log records how many were
 * read.
 */
export async function* allItems<Item>({ page, audit }: AuditedList<Item>): AsyncGenerator<Item> {
  let count = 0
  try {
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const { items, nextCursor } = await page({ cursor, limit: limits.pageSizeMax })
      for (const item of items) {
        count += 1
        yield item
      }
      cursor = nextCursor ?? undefined
    }
  } finally {
    await audit({ format: 'csv', count })
  }
}
