import { z } from 'zod'
import { Actor, distinct, Id, IdParams, Instant, PageQuery, pageOf, Stage } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { importFormats, importStates, keysOf, type ProfileList } from '../enums.ts'
import { exampleId } from '../example-ids.ts'
import { Acquisition, GrantConsent, Profile, SubjectTag, Uid } from './subject.ts'

const count = z.int().min(0)

const ImportState = z.enum(importStates)

export const Import = z
  .object({
    id: Id.describe('The id of the import.'),
    state: ImportState.describe(
      '`uploading`: the upload is in progress. `queued`: waiting for a worker. `processing`: a worker is writing it. ' +
        '`completed`: every line is processed.',
    ),
    format: z.enum(importFormats).describe('The format of the file.'),
    lines: count.describe('Subjects in the file: its lines, without the header of a CSV and empty lines.'),
    processed: count.describe('How many of them are processed: `written` and `rejected` together.'),
    written: count.describe('How many are written, or needed no change.'),
    rejected: count.describe('How many were rejected, each with its reason in the list of rejected lines.'),
    by: Actor.describe('The key that sent the file.'),
    createdAt: Instant.describe('When the upload began, in UTC.'),
    finishedAt: Instant.nullable().describe('When the last line was processed, in UTC; null: not yet.'),
  })
  .meta({ id: 'Import', description: 'An import and its progress, in lines.' })
export type Import = z.infer<typeof Import>

export const ImportPage = pageOf(Import).meta({
  id: 'ImportPage',
  description: "One page of a unit's imports, newest first.",
})
export type ImportPage = z.infer<typeof ImportPage>

const RejectedLine = z
  .object({
    line: z.int().min(1).describe('The number of the line in the file, counted from 1, the header included.'),
    column: z.string().nullable().describe('The column or field that is wrong; null: the line as a whole.'),
    reason: z.string().describe('What it must be, in English. Never repeats the value.'),
  })
  .meta({ id: 'RejectedLine', description: 'A rejected line and the reason, without its content.' })

export const RejectedLinePage = pageOf(RejectedLine).meta({
  id: 'RejectedLinePage',
  description: "One page of an import's rejected lines, in the order of the file.",
})
export type RejectedLinePage = z.infer<typeof RejectedLinePage>

/** `ref`: the campaign, QR code or intake period recorded as the acquisition of subjects that have none. */
const ImportQuery = z.object({
  ref: Acquisition.shape.ref.describe(
    'The campaign, QR code or intake period, recorded with the source `import` as the acquisition of subjects that ' +
      'have none, unless their line has its own.',
  ),
})

const consent = GrantConsent.extend({
  source: GrantConsent.shape.source
    .optional()
    .describe('Where they gave it: 1 to 100 characters. Omitted: `import`.'),
})
const address = z.string().trim().min(1).max(320)

export const ImportRecord = Profile.partial()
  .extend({
    uid: Uid,
    stage: Stage.optional().describe('The stage. It only moves forward; an earlier one is ignored.'),
    tags: z
      .array(SubjectTag)
      .max(200)
      .overwrite(distinct)
      .optional()
      .describe('Tags to add, at most 200: ASCII, `namespace:value`. None is removed.'),
    chat: address.optional().describe("The chat provider's id of the user, which is bound to the subject."),
    email: address.optional().describe('The e-mail address, which is bound to the subject.'),
    acquisition: Acquisition.optional().describe(
      'How the first contact came about. Used if none is recorded yet.',
    ),
    consents: z
      .array(consent)
      .max(50)
      .overwrite(distinct)
      .optional()
      .describe('Consents to record, at most 50. One that was withdrawn in Carillon stays withdrawn.'),
  })
  .meta({
    id: 'ImportRecord',
    description: 'One subject of an import, as a line of NDJSON. Omitted fields are unchanged.',
  })
export type ImportRecord = z.infer<typeof ImportRecord>

const cell = z.string()
const list = 'separated by semicolons'

const lists = {
  roles: cell.optional().describe(`\`student\`, \`teacher\`, \`staff\`, ${list}. Empty: clears them.`),
  orgUnits: cell.optional().describe(`Organisational units, ${list}. Empty: clears them.`),
  classIds: cell.optional().describe(`Classes, ${list}. Empty: clears them.`),
} satisfies Record<ProfileList, z.ZodType>

const ImportRow = z
  .strictObject({
    uid: cell.describe(
      "The producer's id of the subject. The only column that must be there, and be filled in.",
    ),
    stage: cell
      .optional()
      .describe('`visitor`, `lead`, `member` or `alumni`. It only moves forward. Empty: unchanged.'),
    locale: cell.optional().describe('`zh-TW` or `en`. Empty: unchanged.'),
    displayName: cell.optional().describe('The name to show. Empty: clears it.'),
    ...lists,
    tags: cell.optional().describe(`Tags to add, ${list}. Empty: unchanged.`),
    chat: cell.optional().describe("The chat provider's id of the user, which is bound. Empty: unchanged."),
    email: cell.optional().describe('The e-mail address, which is bound. Empty: unchanged.'),
    acquisitionSource: cell
      .optional()
      .describe(
        '`chat_embed`, `directory`, `import` or `event:<source>`; used if none is recorded yet. Empty: ignored.',
      ),
    acquisitionRef: cell
      .optional()
      .describe(
        'The campaign, QR code or intake period, of the source `import` if none is given. Empty: ignored.',
      ),
    consents: cell
      .optional()
      .describe(`Consents to record, each \`scope=version\`, ${list}. Empty: unchanged.`),
  })
  .meta({
    id: 'ImportRow',
    description:
      'One subject of an import, as a record of CSV: the cells by column. A missing column changes nothing.',
  })

/** The columns of a CSV file, in any order. */
export const importColumns = keysOf(ImportRow.shape)
export type ImportColumn = (typeof importColumns)[number]

const imports = { tag: 'Imports', auth: ['producer'], administrative: true, errors: [] } as const
const one = { ...imports, method: 'GET', unit: 'object', params: IdParams } as const

const exampleImport: z.infer<typeof Import> = {
  id: exampleId,
  state: 'processing',
  format: 'csv',
  lines: 100_000,
  processed: 42_000,
  written: 41_990,
  rejected: 10,
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
        description: 'Accepted. Poll the import until its state is completed.',
        schema: Import,
        example: { ...exampleImport, state: 'queued', processed: 0, written: 0, rejected: 0 },
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
  listRejectedLines: {
    ...one,
    path: '/v1/imports/{id}/rejected',
    summary: 'List rejected lines',
    description: 'In file order, with the reason. The content of the lines is not stored.',
    query: PageQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: RejectedLinePage,
        example: {
          items: [{ line: 17, column: 'stage', reason: 'must be one of visitor, lead, member, alumni' }],
          nextCursor: null,
        },
      },
    },
  },
} as const satisfies Record<string, Endpoint>
