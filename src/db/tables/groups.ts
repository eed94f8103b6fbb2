import type { Generated } from 'kysely'
import type { GroupChangeKind, GroupKind, LegalBasis } from '../../contract/enums.ts'
import type { QueryAudience } from '../../domain/audience/audience.ts'
import type { DefaultInstant, MaybeJson } from './columns.ts'

/** Groups and their members. Defined in SQL: src/db/migrations. */

export type GroupTables = {
  subject_group: SubjectGroupTable
  group_member: GroupMemberTable
  group_change: GroupChangeTable
}

export type SubjectGroupTable = {
  id: Generated<string>
  unit_id: string
  name: string
  kind: GroupKind
  legal_basis: LegalBasis | null
  parent_id: string | null
  query: MaybeJson<QueryAudience>
  /** The id of a producer key. */
  kept_by: string | null
  created_at: DefaultInstant
}

export type GroupMemberTable = { group_id: string; subject_id: string; added_at: DefaultInstant }

export type GroupChangeTable = {
  id: Generated<number>
  group_id: string
  what: GroupChangeKind
  actor: string
  approver: boolean
  at: DefaultInstant
}
