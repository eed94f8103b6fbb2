import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { ImportFormat } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { broken } from '../../contract/rules.ts'
import type { ImportColumn } from '../../contract/subjects/imports.ts'
import type { ImportLine } from '../../db/tables.ts'
import { hasInexactNumber } from '../../domain/lib/json-values.ts'
import { limitedBytes } from '../upload/bytes.ts'
import { linesIn, notUtf8 } from '../upload/lines.ts'
import { yieldToEventLoop } from '../upload/yield-to-event-loop.ts'
import { requestError } from '../validation-error.ts'
import { readHeader, recordOfRow } from './columns.ts'

/** Characters that the parser, which works a text off in one go, is given at once. */
const sliceLength = 4_096

/**
 * Streams the lines of a file, numbered from 1 as in an editor; an unreadable line has the reason instead of a record.
 * Holds only the current part of the file in memory.
 * @throws ServiceError payload_too_large; validation_error if the file as a whole is unreadable
 */
export async function* linesOf(
  bytes: AsyncIterable<Buffer>,
  format: ImportFormat,
): AsyncGenerator<ImportLine> {
  const file = limitedBytes(bytes)
  let count = 0
  for await (const line of format === 'csv' ? csvLines(decoded(file)) : ndjsonLines(file)) {
    count += 1
    if (count > limits.importLines)
      throw new ServiceError(
        'payload_too_large',
        `Send at most ${limits.importLines} lines at once. Split the file.`,
      )
    yield line
  }
}

async function* decoded(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const part of bytes) yield* slicesOf(decoder.decode(part, { stream: true }))
    yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw notUtf8()
    throw error
  }
}

function* slicesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; start += sliceLength) yield text.slice(start, start + sliceLength)
}

async function* csvLines(texts: AsyncIterable<string>): AsyncGenerator<ImportLine> {
  const parser = parse({
    info: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'], // discovered, it would be that of the first line alone
    skip_empty_lines: true,
    trim: true,
    max_record_size: limits.lineBytes,
    cast: withinRecord,
  })
  pipeline(Readable.from(yieldToEventLoop(texts)), parser, () => {}) // the loop below throws its errors
  try {
    let header: ReturnType<typeof readHeader> | undefined
    for await (const { record: cells, info } of parser as AsyncIterable<CsvRow>) {
      if (header) yield { line: info.lines, record: rowRecord(header, cells) }
      else header = readHeader(cells)
    }
    if (!header)
      throw requestError('The file is empty. Its first line names the columns.', {
        path: '',
        ...broken('missing', { reason: 'header' }),
      })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = 'lines' in error ? ` in line ${error.lines}` : ''
    const isLong = error.code === 'CSV_MAX_RECORD_SIZE'
    const why = isLong
      ? `the record is longer than ${limits.lineBytes} bytes; shorten it, or close its quote`
      : 'a quote is missing or misplaced'
    throw requestError(`The file is not valid CSV${line}: ${why}.`, {
      path: '',
      ...broken('malformed_csv', {
        ...('lines' in error && { line: Number(error.lines) }),
        ...(isLong && { limit: limits.lineBytes, unit: 'bytes' }),
      }),
    })
  }
}

/** The parser counts only what is in the cells of a record, and a file of nothing but commas has millions of cells. */
function withinRecord(cell: string, { index, lines }: { index: number; lines: number }): string {
  if (index < limits.lineBytes) return cell
  throw new CsvError('CSV_MAX_RECORD_SIZE', 'a comma for each cell', undefined, { lines })
}

type CsvRow = { record: string[]; info: { lines: number } }

function rowRecord(header: ImportColumn[], cells: string[]): ImportLine['record'] {
  const record = recordOfRow(header, cells)
  return record
    ? storable(record)
    : `must have ${header.length} cells, as the header has, not ${cells.length}`
}

async function* ndjsonLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<ImportLine> {
  let line = 0
  for await (const text of yieldToEventLoop(linesIn(bytes))) {
    line += 1
    if (text?.trim() !== '') yield { line, record: lineRecord(text) }
  }
}

function lineRecord(text: string | null): ImportLine['record'] {
  if (text === null) return `must be at most ${limits.lineBytes} bytes long`
  try {
    return storable(JSON.parse(text))
  } catch {
    return 'must be JSON'
  }
}

/** A record that Postgres can store, or the reason why it cannot, without the record's values. */
function storable(value: unknown): Record<string, unknown> | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a JSON object'
  if (isDeeper(value, limits.jsonDepth)) return `must be nested at most ${limits.jsonDepth} levels deep`
  // JSON.stringify writes NUL characters and lone surrogates as these escapes, and nothing else.
  if (/\\u0000|\\ud[89a-f]/.test(JSON.stringify(value)))
    return 'must not contain a NUL character or a lone surrogate'
  if (hasInexactNumber(value)) return broken('inexact_number').message
  return value as Record<string, unknown>
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1))
}
