import type { Generated } from 'kysely'
import type { AuthorNotice, Locale, Role, UnitKind } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { ChatSender } from '../../domain/content/sending-unit.ts'
import type { DefaultInstant, Instant, MaybeInstant, MaybeJson } from './columns.ts'

/** Units, their members, and what these sign in with. Defined in SQL: src/db/migrations. */

export type StaffTables = {
  unit: UnitTable
  person: PersonTable
  member: MemberTable
  producer_key: ProducerKeyTable
  session: SessionTable
}

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
  handoff_reply: Generated<boolean>
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
