import type { Generated } from 'kysely'
import type {
  AuthorNotice,
  Channel,
  Locale,
  Role,
  Stage,
  SuppressionReason,
  UnitKind,
} from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { ChatSender } from '../../domain/content/sending-unit.ts'
import type { DefaultInstant, DefaultJson, Instant, MaybeInstant, MaybeJson } from './columns.ts'

/** Units and their members, credentials, subjects. Defined in SQL: src/db/migrations. */

export type UnitTable = {
  id: Generated<string>
  name: string
  kind: Generated<UnitKind>
  time_zone: Generated<string>
  created_at: DefaultInstant
  display_name: MaybeJson<LocalisedText>
  reply_to: string | null
  sender: MaybeJson<ChatSender>
}

export type PersonTable = {
  id: Generated<string>
  name: string
  email: string
  system_admin: Generated<boolean>
  language: Generated<Locale>
  notices: Generated<boolean>
  author_notices: Generated<AuthorNotice[]>
  handoff_notices: Generated<boolean>
  subject_uid: string | null
  oidc_issuer: string | null
  oidc_subject: string | null
  created_at: DefaultInstant
}

export type MemberTable = { unit_id: string; person_id: string; role: Role }

export type ProducerKeyTable = {
  id: string
  unit_id: string
  name: string
  secret_hash: Buffer
  categories: string[] | null
  dimensions: string[] | null
  individual_targeting: Generated<boolean>
  group_writing: Generated<boolean>
  created_at: DefaultInstant
  revoked_at: MaybeInstant
}

export type SessionTable = {
  id: Generated<string>
  token_hash: Buffer
  person_id: string
  created_at: DefaultInstant
  expires_at: Instant
  idle_minutes: number | null
  seen_at: DefaultInstant
  ended_at: MaybeInstant
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
