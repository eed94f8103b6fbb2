import type { Generated } from 'kysely'
import type { ImportFormat, ImportState } from '../../contract/enums.ts'
import type { DefaultInstant, Json, MaybeInstant } from './columns.ts'

/** Consent history, imports, erasures. Defined in SQL: src/db/migrations. */

export type IdentityTables = {
  consent_history: ConsentHistoryTable
  import: ImportTable
  import_chunk: ImportChunkTable
  import_refusal: ImportRefusalTable
  erasure: ErasureTable
}

export type ConsentHistoryTable = {
  id: Generated<number>
  subject_id: string
  scope: string
  version: string
  source: string
  what: 'granted' | 'withdrawn'
  at: DefaultInstant
}

export type ImportTable = {
  id: Generated<string>
  unit_id: string | null
  actor: string
  format: ImportFormat
  ref: string | null
  state: Generated<ImportState>
  lines: Generated<number>
  processed: Generated<number>
  written: Generated<number>
  rejected: Generated<number>
  /** Tries of the next chunk. */
  tries: Generated<number>
  next_try_at: DefaultInstant
  created_at: DefaultInstant
  finished_at: MaybeInstant
}

/** One line of a file: its number, from 1, and its record, or the reason why it cannot be read. */
export type ImportLine = { line: number; record: Record<string, unknown> | string }
export type ImportChunkTable = { import_id: string; number: number; lines: Json<ImportLine[]> }

export type ImportRefusalTable = { import_id: string; line: number; field: string | null; reason: string }

export type ErasureTable = {
  subject_id: string
  message_ids: string[]
  at: DefaultInstant
  tries: Generated<number>
  next_try_at: DefaultInstant
}
