import type { DefaultInstant } from './columns.ts'

/** Recipients' read marks. Defined in SQL: src/db/migrations. */

export type RecipientTables = {
  inbox_read: InboxReadTable
}

export type InboxReadTable = { subject_id: string; wave_id: string; read_at: DefaultInstant }
