import type { Generated } from 'kysely'
import type { Channel, Locale, Stage, SuppressionReason } from '../../contract/enums.ts'
import type { DefaultInstant, DefaultJson, MaybeInstant } from './columns.ts'

/** Subjects, their addresses and consents. Defined in SQL: src/db/migrations. */

export type SubjectTables = {
  subject: SubjectTable
  address: AddressTable
  former_address: FormerAddressTable
  address_hash_key: AddressHashKeyTable
  suppression: SuppressionTable
  consent: ConsentTable
}

export type SubjectTable = {
  id: Generated<string>
  uid: string
  stage: Generated<Stage>
  locale: Generated<Locale>
  display_name: string | null
  roles: Generated<string[]>
  org_units: Generated<string[]>
  class_ids: Generated<string[]>
  tags: Generated<string[]>
  attributes: DefaultJson<Record<string, unknown>>
  acquisition_source: string | null
  acquisition_ref: string | null
  created_at: DefaultInstant
  updated_at: DefaultInstant
  moved_at: MaybeInstant
}

export type AddressTable = {
  subject_id: string
  channel: Channel
  address: string
  blocked_at: MaybeInstant
  bound_at: DefaultInstant
  hash: Buffer | null
}

/** The hash of an address that somebody had. */
export type FormerAddressTable = { subject_id: string; channel: Channel; hash: Buffer }

export type AddressHashKeyTable = { id: Generated<boolean>; key: Buffer; sealed: boolean }

export type SuppressionTable = {
  channel: Channel
  hash: Buffer
  since: DefaultInstant
  why: SuppressionReason
  server: string | null
}

export type ConsentTable = {
  subject_id: string
  scope: string
  version: string
  source: string
  granted_at: DefaultInstant
  withdrawn_at: MaybeInstant
}
