import type { ColumnType, Generated } from 'kysely'
import type { CanonicalMessage } from '../contract/canonical-message.ts'
import type { LocalisedText } from '../contract/localised-text.ts'
import type { TemplateVariable } from '../contract/template.ts'
import type { Audience, Snapshot } from '../domain/audience.ts'
import type { Channel, ChannelPlan } from '../domain/channel-plan.ts'
import type { MessageState, PausedFrom, Problem, WaveState } from '../domain/message-state.ts'

/** The tables as Kysely sees them. SQL is the truth: src/db/migrations. Rows never leave src/db and services. */

type Instant = ColumnType<Date, Date | string, Date | string>
type MaybeInstant = ColumnType<Date | null, Date | string | null, Date | string | null>
type DefaultInstant = ColumnType<Date, Date | string | undefined, Date | string>
/** jsonb: read as a value, written as JSON text (`JSON.stringify`). */
type Json<T> = ColumnType<T, string, string>
type MaybeJson<T> = ColumnType<T | null, string | null, string | null>
type DefaultJson<T> = ColumnType<T, string | undefined, string>
/** A calendar month, as its first day, `YYYY-MM-01`. */
type Month = ColumnType<string, string, string>

export type Database = {
  unit: UnitTable
  person: PersonTable
  member: MemberTable
  producer_key: ProducerKeyTable
  session: SessionTable
  subject: SubjectTable
  address: AddressTable
  consent: ConsentTable
  category: CategoryTable
  topic: TopicTable
  template: TemplateTable
  template_version: TemplateVersionTable
  preference: PreferenceTable
  topic_unsubscribe: TopicUnsubscribeTable
  message: MessageTable
  message_content: MessageContentTable
  message_author: MessageAuthorTable
  audit: AuditTable
  do_not_remind: DoNotRemindTable
  message_answer: MessageAnswerTable
  notice: NoticeTable
  wave: WaveTable
  delivery: DeliveryTable
  batch: BatchTable
  call: CallTable
  channel_rest: ChannelRestTable
  quota_default: QuotaDefaultTable
  quota_ledger: QuotaLedgerTable
  quota_reservation: QuotaReservationTable
}

export type UnitTable = {
  id: Generated<string>
  name: string
  kind: ColumnType<UnitKind, UnitKind | undefined, UnitKind>
  time_zone: Generated<string>
  created_at: DefaultInstant
}
export type UnitKind = 'ordinary' | 'administrative'

export type PersonTable = {
  id: Generated<string>
  name: string
  email: string
  system_admin: Generated<boolean>
  language: Generated<'zh-TW' | 'en'>
  notices: Generated<boolean>
  subject_uid: string | null
  created_at: DefaultInstant
}

export type Role = 'editor' | 'approver'
export type MemberTable = { unit_id: string; person_id: string; role: Role }

export type ProducerKeyTable = {
  id: string
  unit_id: string
  name: string
  secret_hash: Buffer
  categories: string[] | null
  dimensions: string[] | null
  individual_targeting: Generated<boolean>
  created_at: DefaultInstant
  revoked_at: MaybeInstant
}

export type SessionTable = {
  id: Generated<string>
  token_hash: Buffer
  person_id: string
  created_at: DefaultInstant
  expires_at: Instant
  ended_at: MaybeInstant
}

export type Stage = 'visitor' | 'lead' | 'member' | 'alumni'
export type SubjectTable = {
  id: Generated<string>
  uid: string
  stage: ColumnType<Stage, Stage | undefined, Stage>
  locale: ColumnType<'zh-TW' | 'en', 'zh-TW' | 'en' | undefined, 'zh-TW' | 'en'>
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
}

export type AddressTable = {
  subject_id: string
  channel: Channel
  address: string
  blocked_at: MaybeInstant
  suppressed_at: MaybeInstant
  bound_at: DefaultInstant
}

export type ConsentTable = {
  subject_id: string
  scope: string
  version: string
  source: string
  granted_at: DefaultInstant
  withdrawn_at: MaybeInstant
}

export type CategoryTable = {
  id: string
  name: Json<LocalisedText>
  layer: 'mandatory' | 'service' | 'promotional'
  consent_scope: string | null
  channel_plan: Json<ChannelPlan>
  approval_rule: ColumnType<'manual' | 'auto', 'manual' | 'auto' | undefined, 'manual' | 'auto'>
  auto_max_recipients: Generated<number>
  quiet_hours: MaybeJson<{ from: string; to: string }>
  frequency_cap: MaybeJson<{ n: number; days: number }>
  on_unknown: ColumnType<'keep' | 'repeat', 'keep' | 'repeat' | undefined, 'keep' | 'repeat'>
  enabled: Generated<boolean>
  created_at: DefaultInstant
}

export type TopicTable = {
  id: Generated<string>
  unit_id: string
  name: Json<LocalisedText>
  status: ColumnType<'active' | 'inactive', 'active' | 'inactive' | undefined, 'active' | 'inactive'>
  created_at: DefaultInstant
}

export type TemplateTable = {
  id: Generated<string>
  unit_id: string
  category_id: string
  name: string
  created_at: DefaultInstant
}

export type TemplateState = 'draft' | 'approved' | 'rejected'
export type TemplateVersionTable = {
  template_id: string
  version: number
  state: ColumnType<TemplateState, TemplateState | undefined, TemplateState>
  messages: Json<CanonicalMessage[]>
  subject: MaybeJson<LocalisedText>
  variables: DefaultJson<TemplateVariable[]>
  created_by: string
  created_at: DefaultInstant
  decided_by: string | null
  decided_at: MaybeInstant
  reason: string | null
}

export type PreferenceTable = { subject_id: string; category_id: string; channel: Channel; enabled: boolean }

export type TopicUnsubscribeTable = { subject_id: string; topic_id: string; at: DefaultInstant }

export type Origin = 'api' | 'console' | 'event' | 'schedule'
export type MessageKind = 'broadcast' | 'personal'

export type MessageTable = {
  id: Generated<string>
  unit_id: string
  idempotency_key: string | null
  body_hash: Buffer | null
  state: ColumnType<MessageState, MessageState | undefined, MessageState>
  paused_from: PausedFrom | null
  kind: ColumnType<MessageKind, MessageKind | undefined, MessageKind>
  origin: Origin
  category_id: string
  topic_id: string | null
  template_id: string | null
  template_version: number | null
  title: Json<LocalisedText>
  audience: Json<Audience>
  /** The plan in force: the category's, narrowed by the override. */
  channel_plan: Json<ChannelPlan>
  plan_override: MaybeJson<Partial<ChannelPlan>>
  schedule_at: MaybeInstant
  expires_at: MaybeInstant
  remind_at: MaybeInstant
  snapshot: MaybeJson<Snapshot>
  snapshot_at: MaybeInstant
  review_reason: string | null
  review_drift: Generated<boolean>
  created_by: string
  created_at: DefaultInstant
  submitted_at: MaybeInstant
  closed_at: MaybeInstant
  version: Generated<number>
  acked_version: Generated<number>
  changed_at: DefaultInstant
  next_look_at: MaybeInstant
  poked_at: MaybeInstant
  poke_count: Generated<number>
  wedged_at: MaybeInstant
  problem: Problem | null
}

export type MessageContentTable = {
  message_id: string
  /** What the producer wrote: `messages`, or `templateId` with `variables`. */
  request: Json<{ messages?: CanonicalMessage[]; templateId?: string; variables?: Record<string, unknown> }>
  /** Canonical messages after rendering, written at submit; taps are looked up here. */
  frozen: MaybeJson<CanonicalMessage[]>
  /** What each channel will send, by channel; written at submit. */
  compiled: MaybeJson<Partial<Record<Channel, unknown>>>
}

export type MessageAuthorTable = { message_id: string; actor: string }

export type AuditTable = {
  id: Generated<number>
  at: DefaultInstant
  unit_id: string | null
  actor: string
  action: string
  object_kind: string
  object_id: string
  from_state: string | null
  to_state: string | null
  version: number | null
  reason: string | null
  details: MaybeJson<unknown>
}

export type DoNotRemindTable = { message_id: string; subject_id: string; at: DefaultInstant }

export type NoticeReason = 'submitted' | 'check_failed' | 'quota' | 'drift'
export type NoticeState = 'waiting' | 'sent' | 'failed' | 'obsolete'
export type NoticeTable = {
  id: Generated<string>
  message_id: string
  version: number
  person_id: string
  reason: NoticeReason
  state: ColumnType<NoticeState, NoticeState | undefined, NoticeState>
  tries: Generated<number>
  next_try_at: DefaultInstant
  code: string | null
  created_at: DefaultInstant
}

export type MessageAnswerTable = {
  message_id: string
  subject_id: string
  /** Index of the message among the content's messages. */
  n: number
  /** Index of the option or action in it; in a carousel `card.action`. */
  o: string
  option_id: string | null
  channel: Channel
  at: DefaultInstant
}

/** Deliveries counted by reason. */
export type SkippedCounts = Record<string, number>
export type ChannelCounts = {
  sent: number
  failed: number
  unknown: number
  skipped: SkippedCounts
  expected: number
}

export type WaveTable = {
  id: Generated<string>
  message_id: string | null
  number: Generated<number>
  state: ColumnType<WaveState, WaveState | undefined, WaveState>
  month: Month
  expected: number | null
  claimed: Generated<boolean>
  sent: Generated<number>
  failed: Generated<number>
  unknown: Generated<number>
  skipped: DefaultJson<SkippedCounts>
  by_channel: DefaultJson<Partial<Record<Channel, ChannelCounts>>>
  parked: Problem | null
  parked_at: MaybeInstant
  probe_at: MaybeInstant
  skip_rest: Generated<boolean>
  created_at: DefaultInstant
  started_at: MaybeInstant
  finished_at: MaybeInstant
}

export type DeliveryState = 'pending' | 'sent' | 'failed' | 'skipped' | 'unknown'
export type DeliveryTable = {
  wave_id: string
  subject_id: string
  channel: Channel
  batch: number | null
  state: DeliveryState
  reason: string | null
}

export type BatchTable = {
  wave_id: string
  channel: Channel
  number: number
  locale: 'zh-TW' | 'en'
  size: number
  /** Mail that may have arrived before, sent once more. */
  repeats: Generated<boolean>
  state: ColumnType<
    'open' | 'done' | 'folded',
    'open' | 'done' | 'folded' | undefined,
    'open' | 'done' | 'folded'
  >
  not_before: MaybeInstant
  claimed_by: string | null
  run_id: string | null
  activity_id: string | null
  attempt: number | null
  lease_until: MaybeInstant
  sent: Generated<number>
  failed: Generated<number>
  unknown: Generated<number>
  skipped: DefaultJson<SkippedCounts>
  /** Recipients × accepted or unclear calls: what the ledger commits. */
  pushes: Generated<number>
}

export type CallState = 'open' | 'accepted' | 'refused' | 'unknown'
export type CallTable = {
  wave_id: string
  channel: Channel
  batch: number
  part: number
  retry_key: string
  subject_ids: string[]
  addresses: string[]
  state: ColumnType<CallState, CallState | undefined, CallState>
  unclear: Generated<boolean>
  tries: Generated<number>
  first_try_at: MaybeInstant
  code: string | null
  request_id: string | null
}

/** Until when nothing may begin on a channel, because its provider said so. */
export type ChannelRestTable = { channel: Channel; until: Instant }

export type QuotaDefaultTable = { scope: string; channel: Channel; monthly_limit: number }

export type QuotaLedgerTable = {
  scope: string
  channel: Channel
  month: Month
  monthly_limit: number
  reserved: Generated<number>
  committed: Generated<number>
}

export type QuotaReservationTable = {
  wave_id: string
  channel: Channel
  unit_id: string
  month: Month
  unit_reserved: Generated<number>
  pool_reserved: Generated<number>
  unit_committed: Generated<number>
  pool_committed: Generated<number>
}
