import type { z } from 'zod'
import { IdParams, PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleId } from '../example-ids.ts'
import { Import, ImportPage, ImportQuery, ImportRecord, ImportRow, RefusedLinePage } from './import.ts'

const imports = { tag: 'Imports', auth: ['producer'], administrative: true, errors: [] } as const
const one = { ...imports, method: 'GET', unit: 'object', params: IdParams } as const

const exampleImport: z.infer<typeof Import> = {
  id: exampleId,
  state: 'working',
  format: 'csv',
  lines: 100_000,
  done: 42_000,
  written: 41_990,
  refused: 10,
  by: { id: 'key:demo', name: 'Student information system' },
  createdAt: '2026-11-20T02:00:00.000Z',
  finishedAt: null,
}

/** Bulk imports of subjects; not rate limited (docs/api/imports.md). */
export const importEndpoints = {
  createImport: {
    ...imports,
    method: 'POST',
    path: '/v1/imports',
    summary: 'Import subjects',
    description:
      'The body is a file of up to 64 MiB and 1,000,000 lines, one subject per line: CSV with a header, or NDJSON. A ' +
      'line or record has at most 64 KiB. Workers write it in the background. A file that is not valid CSV, has a ' +
      'longer record or an unknown column is rejected as a whole; any other error rejects only its line. Importing ' +
      'the same file again changes nothing.',
    unit: 'none',
    query: ImportQuery,
    upload: {
      'text/csv': {
        line: ImportRow,
        description:
          'CSV (RFC 4180) in UTF-8. The first line names the columns, in any order; each further record is one ' +
          'subject, with as many cells as there are columns. The schema of a record is by column.',
        example:
          'uid,stage,displayName,tags,chat\nB11002034,member,林佳蓉,cohort:2026;interest:robotics,U4af4…\n',
      },
      'application/x-ndjson': {
        line: ImportRecord,
        description: 'One JSON object per line, in UTF-8, each for one subject. Empty lines are ignored.',
        example: '{"uid": "B11002034", "stage": "member", "tags": ["cohort:2026"]}\n',
      },
    },
    answers: {
      202: {
        description: 'Accepted. Poll the import until its state is done.',
        schema: Import,
        example: { ...exampleImport, state: 'waiting', done: 0, written: 0, refused: 0 },
      },
    },
  },
  listImports: {
    ...imports,
    method: 'GET',
    path: '/v1/imports',
    summary: 'List imports',
    description: 'Newest first.',
    unit: 'none',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: ImportPage,
        example: { items: [exampleImport], nextCursor: null },
      },
    },
  },
  getImport: {
    ...one,
    path: '/v1/imports/{id}',
    summary: 'Get an import',
    description: 'Returns its state and progress in lines.',
    answers: { 200: { description: 'The import.', schema: Import, example: exampleImport } },
  },
  listRefusedLines: {
    ...one,
    path: '/v1/imports/{id}/refused',
    summary: 'List rejected lines',
    description: 'In file order, with the reason. The content of the lines is not stored.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: RefusedLinePage,
        example: {
          items: [{ line: 17, column: 'stage', reason: 'must be one of visitor, lead, member, alumni' }],
          nextCursor: null,
        },
      },
    },
  },
} as const satisfies Record<string, Endpoint>
