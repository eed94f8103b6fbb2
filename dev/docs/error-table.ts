import { type Endpoint, errorsOf } from '../../src/contract/endpoint.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { errorMeanings } from '../../src/contract/error-meanings.ts'
import { type ErrorCode, errorStatus } from '../../src/contract/errors.ts'

/** Described once for every operation, in docs/api/errors.md; a page has a row for one only if it can say more. */
export const commonErrors: readonly ErrorCode[] = [
  'validation_error',
  'unauthenticated',
  'invalid_credential',
  'method_not_allowed',
  'payload_too_large',
  'rate_limited',
  'internal',
  'unavailable',
]

const heading = '## Errors'
const pointer = 'Besides the [errors of every operation](errors.md#errors-of-every-operation):'
const head = ['| code | when |', '| --- | --- |']

/**
 * A page describes an operation in a row of a table, or under a heading, that begins with it; elsewhere it is
 * mentioned.
 */
const described = /^(?:\| |#+ )`((?:GET|POST|PUT|PATCH|DELETE) [^`]+)`/gm

/** The operations that a page of docs/api describes, such as `GET /v1/messages`. */
export function operationsOn(page: string): string[] {
  return [...page.matchAll(described)].map(([, operation]) => operation!)
}

/**
 * The page with the table of the errors that its operations can answer. Rows keep their order and what their author
 * wrote; a code that no operation of the page answers is dropped, and one that has no row gets its general meaning.
 */
export function withErrorTable(page: string): string {
  const answered = codesOf(operationsOn(page))
  const [before, section] = page.split(`\n${heading}\n`)
  if (answered.size === 0 || section === undefined) return page
  const lines = section.split('\n')
  const [first, last] = [lines.indexOf(head[0]!), lines.findLastIndex((line) => line.startsWith('| '))]
  const pageRows = lines.slice(first + head.length, last + 1).flatMap((line) => rowIn(line, answered))
  const rows = withMissing(pageRows, answered)
  const introduction = lines.slice(0, first).filter((line) => line !== pointer && line !== '')
  const table = [...head, ...rows.map(({ codes, when }) => `| ${cellOf(codes)} | ${when} |`)]
  const all = ['', ...introduction, pointer, '', ...table, ...lines.slice(last + 1)]
  return `${before}\n${heading}\n${all.join('\n')}`
}

function codesOf(operations: string[]): Set<ErrorCode> {
  const those = Object.values<Endpoint>(endpoints).filter(({ method, path }) =>
    operations.includes(`${method} ${path}`),
  )
  return new Set(those.flatMap(errorsOf))
}

type Row = { codes: ErrorCode[]; when: string }

function rowIn(line: string, answered: Set<ErrorCode>): Row[] {
  const [, cell, when] = /^\| (.+?) \| (.*) \|$/.exec(line) ?? []
  const named = [...(cell ?? '').matchAll(/`(\w+)`/g)].map(([, code]) => code)
  const codes = [...answered].filter((code) => named.includes(code))
  codes.sort((a, b) => named.indexOf(a) - named.indexOf(b))
  return codes.length > 0 && when !== undefined ? [{ codes, when }] : []
}

/** Adds a row for each code without one, behind the rows of lower statuses. */
function withMissing(pageRows: Row[], answered: Set<ErrorCode>): Row[] {
  const rows = [...pageRows]
  const named = pageRows.flatMap(({ codes }) => codes)
  for (const code of Object.keys(errorStatus) as ErrorCode[]) {
    if (!answered.has(code) || commonErrors.includes(code) || named.includes(code)) continue
    const place = rows.findLastIndex(({ codes }) => errorStatus[codes[0]!] <= errorStatus[code]) + 1
    rows.splice(place, 0, { codes: [code], when: meaningOf(code) })
  }
  return rows
}

/** `400 `a`, `b`, 403 `c``: a status stands before the first code that has it. */
function cellOf(codes: ErrorCode[]): string {
  return codes
    .map((code, at) => {
      const repeated = at > 0 && errorStatus[codes[at - 1]!] === errorStatus[code]
      return `${repeated ? '' : `${errorStatus[code]} `}\`${code}\``
    })
    .join(', ')
}

function meaningOf(code: ErrorCode): string {
  const meaning = errorMeanings[code].replace(/\.$/, '')
  return meaning.charAt(0).toLowerCase() + meaning.slice(1)
}
