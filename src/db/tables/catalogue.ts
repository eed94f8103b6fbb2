import type { Generated } from 'kysely'
import type { ValueDimension } from '../../contract/audience-values.ts'
import type {
  ApprovalRule,
  Channel,
  Layer,
  LinkMode,
  TemplateState,
  TopicStatus,
  UnknownPolicy,
} from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { TemplateVariable } from '../../contract/templates/template.ts'
import type { ChannelPlan } from '../../domain/content/channel-plan.ts'
import type { DefaultInstant, DefaultJson, Json, MaybeInstant, MaybeJson } from './columns.ts'

/** Categories, topics, templates, and subjects' choices. Defined in SQL: src/db/migrations. */

export type CatalogueTables = {
  category: CategoryTable
  value_name: ValueNameTable
  topic: TopicTable
  template: TemplateTable
  template_version: TemplateVersionTable
  preference: PreferenceTable
  topic_unsubscribe: TopicUnsubscribeTable
}

export type ValueNameTable = { dimension: ValueDimension; value: string; name: Json<LocalisedText> }

export type CategoryTable = {
  id: string
  name: Json<LocalisedText>
  layer: Layer
  consent_scope: string | null
  channel_plan: Json<ChannelPlan>
  approval_rule: Generated<ApprovalRule>
  auto_max_recipients: Generated<number>
  quiet_hours: MaybeJson<{ from: string; to: string }>
  frequency_cap: MaybeJson<{ messages: number; days: number }>
  on_unknown: Generated<UnknownPolicy>
  /** How long a message waits after a person has approved it. */
  hold_seconds: Generated<number>
  enabled: Generated<boolean>
  created_at: DefaultInstant
  acknowledgement: MaybeJson<LocalisedText>
  /** Who wrote it; null: it is the product's own, or there is none. */
  acknowledgement_by: string | null
  links: Generated<LinkMode>
}

export type TopicTable = {
  id: Generated<string>
  unit_id: string
  name: Json<LocalisedText>
  status: Generated<TopicStatus>
  created_at: DefaultInstant
}

export type TemplateTable = {
  id: Generated<string>
  unit_id: string
  category_id: string
  name: string
  created_at: DefaultInstant
  /** Of the variables of all its versions. */
  variable_names: Generated<string[]>
}

export type TemplateVersionTable = {
  template_id: string
  version: number
  state: Generated<TemplateState>
  messages: Json<CanonicalMessage[]>
  subject: MaybeJson<LocalisedText>
  variables: DefaultJson<TemplateVariable[]>
  created_by: string
  /** Who wrote it beside `created_by`. */
  authors: Generated<string[]>
  created_at: DefaultInstant
  decided_by: string | null
  decided_at: MaybeInstant
  reason: string | null
}

export type PreferenceTable = {
  subject_id: string
  category_id: string
  channel: Channel
  enabled: boolean
  /** When the choice was made. */
  changed_at: MaybeInstant
}

export type TopicUnsubscribeTable = { subject_id: string; topic_id: string; at: DefaultInstant }
