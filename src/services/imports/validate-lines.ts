import { type Channel, channels } from '../../contract/enums.ts'
import { readValue } from '../../contract/read-value.ts'
import { ImportRecord } from '../../contract/subjects/imports.ts'
import type { Refusal } from '../../db/queries/subject/import-chunk.ts'
import type { ImportLine } from '../../db/tables.ts'
import { isSpreadsheetResult, spreadsheetResult } from '../../domain/lib/spreadsheet.ts'
import { normaliseAddress } from '../subjects/addresses.ts'

/** A valid line, with addresses normalised for their channel. */
export type ValidLine = { line: number; person: ImportRecord }

/** Separates valid lines from rejected ones. A reason never contains a line's values. */
export function validateLines(lines: ImportLine[]): { good: ValidLine[]; rejected: Refusal[] } {
  const good: ValidLine[] = []
  const rejected: Refusal[] = []
  for (const { line, record } of lines) {
    const result = typeof record === 'string' ? { field: null, reason: record } : validate(record)
    if ('person' in result) good.push({ line, person: result.person })
    else rejected.push({ line, ...result })
  }
  return { good, rejected }
}

/** What names somebody or something: a person who got another's would get the mails of both. */
const idColumns = ['uid', ...channels, 'orgUnits', 'classIds'] as const

type Fault = { field: string | null; reason: string }

function validate(record: Record<string, unknown>): { person: ImportRecord } | Fault {
  const { data: person, error } = readValue(ImportRecord, record)
  if (error) {
    const { path, message } = error.issues[0]!
    return { field: path.length === 0 ? null : String(path[0]), reason: message }
  }
  for (const column of idColumns)
    if ([person[column] ?? []].flat().some(isSpreadsheetResult))
      return { field: column, reason: spreadsheetResult }
  const usable: Partial<Record<Channel, string>> = {}
  for (const channel of channels) {
    const text = person[channel]
    const address = text === undefined ? undefined : normaliseAddress(channel, text)
    if (address === null) return { field: channel, reason: 'must be a valid address' }
    if (address !== undefined) usable[channel] = address
  }
  return { person: { ...person, ...usable } }
}
