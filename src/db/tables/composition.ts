import type { Generated } from 'kysely'
import type { CompositionKind } from '../../contract/enums.ts'
import type { DefaultInstant, Json } from './columns.ts'

export type CompositionTables = {
  composition: CompositionTable
  composition_author: CompositionAuthorTable
}

/** What people write in a browser before it is a message, a pattern or a template, and what it became. Defined in SQL: src/db/migrations. */
export type CompositionTable = {
  id: Generated<string>
  unit_id: string
  /** What it becomes. */
  kind: CompositionKind
  /** The draft that it changes; null: a new message. */
  message_id: string | null
  /** The template that it is a new version of; null: a new one. */
  template_id: string | null
  /** The pattern that it is a new version of; null: a new one. */
  pattern_id: string | null
  /** The message, pattern or template that it became; null while it is being written. */
  submitted_id: string | null
  /** The first text that is written; empty without one. */
  title: string
  /** The fields as they were written, complete or not: names and values. */
  form: Json<[name: string, value: string][]>
  /** Counts what was saved. */
  version: Generated<number>
  created_by: string
  updated_by: string
  created_at: DefaultInstant
  updated_at: DefaultInstant
}

/** Who wrote in one. Defined in SQL: src/db/migrations. */
export type CompositionAuthorTable = {
  composition_id: string
  actor: string
  /** Their words came in with what it was begun from. */
  copied: Generated<boolean>
}
