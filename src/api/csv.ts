import { Readable } from 'node:stream'
import contentDisposition from 'content-disposition'
import { stringify } from 'csv-stringify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AuditedList, allItems } from '../services/page.ts'

/** Whether a request asks for a table instead of JSON. */
export function wantsCsv({ headers: { accept = '' } }: FastifyRequest): boolean {
  return /\btext\/csv\b/.test(accept)
}

/** `name`: of the file; `columns`: the fields of its items, or the heads of items that are cells. */
type Table<Item> = {
  name: string
  columns: readonly (Item extends readonly string[] ? string : keyof Item & string)[]
}

/**
 * Sends all items of a list as a table (RFC 4180), while they are read. It begins with a byte order mark, by which
 * spreadsheets know UTF-8, and a cell that they would take for a formula with an apostrophe.
 */
export function sendCsv<Item extends object>(
  reply: FastifyReply,
  { name, columns }: Table<Item>,
  list: AuditedList<Item>,
): FastifyReply {
  const table = stringify({
    header: true,
    columns: [...columns],
    bom: true,
    escape_formulas: true,
    record_delimiter: 'windows',
    cast: { boolean: String, object: (value) => JSON.stringify(value) },
  })
  const items = Readable.from(allItems(list))
  items.on('error', (error) => table.destroy(error))
  table.on('close', () => items.destroy())
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', contentDisposition(`${name}.csv`))
    .send(items.pipe(table))
}
