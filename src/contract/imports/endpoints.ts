import { IdParams, PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleImport } from '../subjects/examples.ts'
import { Import, ImportPage, ImportQuery, RefusedLinePage } from './import.ts'

const imports = { tag: 'Imports', doors: ['producer'], administrative: true, errors: [] } as const
const one = { ...imports, method: 'GET', unit: 'object', params: IdParams } as const

/** Bulk imports of people; not rate limited (docs/api/imports.md). */
export const importEndpoints = {
  createImport: {
    ...imports,
    method: 'POST',
    path: '/v1/imports',
    summary: 'Import people',
    description:
      'The body is a file of up to 64 MiB, with one person a line: CSV with a header, or NDJSON. It is written in the ' +
      'background; a file that is no CSV, or has a column nobody knows, is refused as a whole, everything else line ' +
      'by line. Importing the same file again changes nothing.',
    unit: 'none',
    query: ImportQuery,
    upload: {
      'text/csv':
        'uid,stage,displayName,tags,chat\nB11002034,member,林佳蓉,cohort:2026;interest:robotics,U4af4…\n',
      'application/x-ndjson': '{"uid": "B11002034", "stage": "member", "tags": ["cohort:2026"]}\n',
    },
    answers: {
      202: {
        description: 'Taken; ask for it until its state is done.',
        schema: Import,
        example: { ...exampleImport, state: 'waiting', done: 0, written: 0, refused: 0 },
      },
    },
  },
  listImports: {
    ...imports,
    method: 'GET',
    path: '/v1/imports',
    summary: 'Imports of the unit',
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
    summary: 'How far an import is',
    description: 'Counts of lines.',
    answers: { 200: { description: 'The import.', schema: Import, example: exampleImport } },
  },
  listRefusedLines: {
    ...one,
    path: '/v1/imports/{id}/refused',
    summary: 'Lines that were refused',
    description: 'In the order of the file, with the reason; the lines themselves are not kept.',
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
