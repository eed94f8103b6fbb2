import { isOneOf, profileLists } from '../../contract/enums.ts'
import { broken } from '../../contract/rules.ts'
import { type ImportColumn, importColumns } from '../../contract/subjects/imports.ts'
import { requestError, validationError } from '../validation-error.ts'

/** More than there are, so that the answer names the unknown ones. */
const columnsMost = 100

/**
 * The columns in the first line of a CSV.
 * @throws ServiceError validation_error if one is unknown or duplicate, or uid is missing
 */
export function readHeader(names: string[]): ImportColumn[] {
  if (names.length > columnsMost)
    throw requestError(
      `The first line of the file has ${names.length} columns. It may have ${columnsMost}.`,
      {
        path: '',
        ...broken('too_many', { limit: columnsMost, unit: 'columns' }),
      },
    )
  const columns = names.filter((name) => isOneOf(importColumns, name))
  const unknown = names.filter((name) => !isOneOf(importColumns, name))
  const duplicates = names.filter((name, index) => names.indexOf(name) !== index)
  const issues = [
    ...unknown.map((name) => ({
      path: name,
      ...broken('not_one_of', { of: 'columns', values: importColumns }),
    })),
    ...duplicates.map((name) => ({ path: name, ...broken('repeated', { of: 'column' }) })),
    ...(names.includes('uid') ? [] : [{ path: 'uid', ...broken('missing', { reason: 'column' }) }]),
  ]
  if (issues.length > 0) throw validationError(issues)
  return columns
}

type ImportRow = Record<string, unknown> & { acquisition?: object }

/**
 * A row as the record that NDJSON would hold. An empty cell changes nothing, except that it clears the name and the
 * lists of the profile. Null for a row with more or fewer cells than the header.
 */
export function recordOfRow(header: ImportColumn[], cells: string[]): ImportRow | null {
  if (cells.length !== header.length) return null
  const record: ImportRow = {}
  for (const [index, column] of header.entries()) put(record, column, cells[index]!)
  return record
}

function put(record: ImportRow, column: ImportColumn, cell: string): void {
  if (isOneOf(profileLists, column)) {
    record[column] = listIn(cell)
    return
  }
  switch (column) {
    case 'displayName':
      record[column] = cell === '' ? null : cell
      return
    case 'tags':
      if (cell !== '') record[column] = listIn(cell)
      return
    case 'consents':
      if (cell !== '') record[column] = listIn(cell).map(consentIn)
      return
    case 'acquisitionSource':
      if (cell !== '') record.acquisition = { ...record.acquisition, source: cell }
      return
    case 'acquisitionRef':
      if (cell !== '') record.acquisition = { source: 'import', ...record.acquisition, ref: cell }
      return
    default:
      if (cell !== '') record[column] = cell
  }
}

function listIn(cell: string): string[] {
  return cell
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function consentIn(item: string): { scope: string; version: string } {
  const [scope = '', version = ''] = item.split(/=(.*)/s)
  return { scope: scope.trim(), version: version.trim() }
}
