import { z } from 'zod'
import { Actor, distinct, Id, Instant, pageOf } from '../common.ts'
import { importFormats, importStates } from '../enums.ts'
import { Acquisition, GrantConsent, Profile, Stage, SubjectTag, Uid } from '../subjects/subject.ts'

const count = z.int().min(0)

/**
 * receiving: the upload is in progress; waiting, working: queued, or being written by a worker; done: every line is
 * processed.
 */
export const ImportState = z.enum(importStates)

/** The progress of an import, in lines: `done` of `lines` are processed, each either `written` or `refused`. */
export const Import = z
  .object({
    id: Id,
    state: ImportState,
    format: z.enum(importFormats),
    lines: count,
    done: count,
    written: count,
    refused: count,
    by: Actor,
    createdAt: Instant,
    finishedAt: Instant.nullable(),
  })
  .meta({ id: 'Import' })
export type Import = z.infer<typeof Import>

/** One page of a unit's imports, newest first. */
export const ImportPage = pageOf(Import).meta({ id: 'ImportPage' })
export type ImportPage = z.infer<typeof ImportPage>

/** A rejected line and the reason, without its content. Lines count from 1, including the header. */
export const RefusedLine = z
  .object({ line: z.int().min(1), column: z.string().nullable(), reason: z.string() })
  .meta({ id: 'RefusedLine' })

/** One page of an import's rejected lines, in file order. */
export const RefusedLinePage = pageOf(RefusedLine).meta({ id: 'RefusedLinePage' })
export type RefusedLinePage = z.infer<typeof RefusedLinePage>

/** `ref`: the campaign, QR code or intake period recorded as the acquisition of subjects that have none. */
export const ImportQuery = z.object({ ref: z.string().trim().min(1).max(200).optional() })

const consent = GrantConsent.extend({ source: GrantConsent.shape.source.optional() })

/**
 * One line of an import. Omitted fields are unchanged; tags and consents are added; `chat` and `email` bind an address.
 */
export const ImportRecord = Profile.partial().extend({
  uid: Uid,
  stage: Stage.optional(),
  tags: z.array(SubjectTag).max(200).overwrite(distinct).optional(),
  chat: z.string().trim().min(1).max(320).optional(),
  email: z.string().trim().min(1).max(320).optional(),
  acquisition: Acquisition.optional(),
  consents: z.array(consent).max(50).overwrite(distinct).optional(),
})
export type ImportRecord = z.infer<typeof ImportRecord>

/** The columns of a CSV file, in any order. Lists are separated by semicolons; consents are `scope=version`. */
export const importColumns = [
  'uid',
  'stage',
  'locale',
  'displayName',
  'roles',
  'orgUnits',
  'classIds',
  'tags',
  'chat',
  'email',
  'acquisitionSource',
  'acquisitionRef',
  'consents',
] as const
export type ImportColumn = (typeof importColumns)[number]
