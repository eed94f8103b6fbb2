import type { DefaultInstant } from './columns.ts'

/** What recipients keep. SQL is the truth: src/db/migrations. */

export type InboxReadTable = { subject_id: string; wave_id: string; read_at: DefaultInstant }
