import type { Generated } from 'kysely'
import type { DefaultInstant, MaybeInstant } from './columns.ts'

/** Pictures of units. Defined in SQL: src/db/migrations. */

export type MediaTables = {
  media: MediaTable
  media_file: MediaFileTable
}

/** Where the files of a picture are kept. */
export type MediaStoreName = 'postgres' | 's3'

/** The types in which pictures are kept. */
export type KeptType = 'image/jpeg' | 'image/png'

export type MediaTable = {
  id: Generated<string>
  unit_id: string
  /** Names it in its address. */
  token: string
  type: KeptType
  width: number
  height: number
  store: MediaStoreName
  created_by: string
  created_at: DefaultInstant
  /** Null while its files are being written. */
  stored_at: MaybeInstant
  /** When a content was last seen to name it. */
  named_at: MaybeInstant
}

export type MediaFileTable = { media_id: string; preview: boolean; data: Buffer }
