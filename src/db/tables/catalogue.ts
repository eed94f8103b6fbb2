import type { ColumnType, Generated } from 'kysely'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { TemplateVariable } from '../../contract/templates/template.ts'
import type { Channel, ChannelPlan } from '../../domain/channel-plan.ts'
import type { DefaultInstant, DefaultJson, Json, MaybeInstant, MaybeJson } from './columns.ts'

/** Categories, topics, templates, and what a subject switched off. SQL is the truth: src/db/migrations. */

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
