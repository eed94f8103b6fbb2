import { z } from 'zod'
import { Actor, Id, Instant, pageOf } from '../common.ts'
import { importFormats, importStates } from '../enums.ts'
import { Acquisition, GrantConsent, Profile, Stage, SubjectTag, Uid } from '../subjects/subject.ts'

const count = z.int().min(0)

/** receiving: the body is still coming in; waiting, working: a worker writes it; done: every line was looked at. */
export const ImportState = z.enum(importStates)

/** How far a bulk import is. Counts of lines: `done` of `lines` were looked at, and are either written or refused. */
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

/** A line that was not written, and why; never what stood in it. Lines are counted from 1, the header among them. */
export const RefusedLine = z
  .object({ line: z.int().min(1), column: z.string().nullable(), reason: z.string() })
  .meta({ id: 'RefusedLine' })

/** One page of the refused lines of an import, in their order. */
export const RefusedLinePage = pageOf(RefusedLine).meta({ id: 'RefusedLinePage' })
export type RefusedLinePage = z.infer<typeof RefusedLinePage>

/** `ref`: campaign, QR code or intake period of those whom this import is the first to name. */
export const ImportQuery = z.object({ ref: z.string().trim().min(1).max(200).optional() })

const consent = GrantConsent.extend({ source: GrantConsent.shape.source.optional() })

/**
 * One person as a line of an import names them. What is left out stays as it is; tags and consents are added. `chat` and
 * `email` bind an address.
 */
export const ImportRecord = Profile.partial().extend({
  uid: Uid,
  stage: Stage.optional(),
  tags: z.array(SubjectTag).max(200).optional(),
  chat: z.string().trim().min(1).max(320).optional(),
  email: z.string().trim().min(1).max(320).optional(),
  acquisition: Acquisition.optional(),
  consents: z.array(consent).max(50).optional(),
})
export type ImportRecord = z.infer<typeof ImportRecord>

/** The columns that a CSV may have, in any order; lists are separated by semicolons, consents are `scope=version`. */
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
