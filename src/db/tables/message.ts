import type { Generated } from 'kysely'
import type { CompiledContent } from '../../channels/channel.ts'
import type {
  Channel,
  MessageKind,
  MessageState,
  Origin,
  PausedFrom,
  RemindTo,
} from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { MessageRequest, MessageSetting } from '../../contract/messages/create.ts'
import type { Audience, Snapshot } from '../../domain/audience/audience.ts'
import type { Drift } from '../../domain/audience/drift.ts'
import type { ChannelPlan } from '../../domain/content/channel-plan.ts'
import type { Pace } from '../../domain/message/pace.ts'
import type { DefaultInstant, Json, MaybeInstant, MaybeJson } from './columns.ts'
import type { RunColumns } from './run.ts'

/** Message intents, their content, and the audit trail. Defined in SQL: src/db/migrations. */

export type MessageTables = {
  message: MessageTable
  message_content: MessageContentTable
  message_author: MessageAuthorTable
  audience_group: AudienceGroupTable
  audience_sample: AudienceSampleTable
  audit: AuditTable
}

export type MessageTable = RunColumns & {
  id: Generated<string>
  unit_id: string
  idempotency_key: string | null
  body_hash: Buffer | null
  /** The producer's own reference. */
  reference: string | null
  state: Generated<MessageState>
  paused_from: PausedFrom | null
  kind: Generated<MessageKind>
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
  /** Whom the reminder goes to. */
  remind_to: Generated<RemindTo>
  /** How fast it is sent; null: as fast as its channels take it. */
  pace: MaybeJson<Pace>
  snapshot: MaybeJson<Snapshot>
  snapshot_at: MaybeInstant
  review_reason: string | null
  review_drift: Generated<boolean>
  /** What changed at the last drift. */
  drift: MaybeJson<Drift>
  created_by: string
  created_at: DefaultInstant
  submitted_at: MaybeInstant
  submitted_by: string | null
  /** Nothing is sent before: a person approved it, and its category holds it. */
  hold_until: MaybeInstant
  purged_at: MaybeInstant
  /** The span of the call that made it, or moved it last in another trace; null: nothing was recorded. */
  traceparent: string | null
}

/** The column of each setting of a body. */
type SettingColumns = {
  categoryId: 'category_id'
  audience: 'audience'
  reference: 'reference'
  scheduleAt: 'schedule_at'
  expiresAt: 'expires_at'
  topicId: 'topic_id'
  remindAt: 'remind_at'
  remindTo: 'remind_to'
  pace: 'pace'
  channelPlanOverride: 'plan_override'
  kind: 'kind'
}
export type SettingColumn = SettingColumns[MessageSetting]

export type MessageContentTable = {
  message_id: string
  /** The producer's content: `messages` and perhaps a `subject`, or `templateId` with `variables`. */
  request: Json<MessageRequest>
  /** Canonical messages after rendering, written at submit; taps are looked up here. */
  frozen: MaybeJson<CanonicalMessage[]>
  /** The compiled content, by channel; written at submit. */
  compiled: MaybeJson<CompiledContent>
  /** The same for the reminder; null: it sends what the message sends. */
  compiled_reminder: MaybeJson<CompiledContent>
  /** Whether the links of the compiled content are tracked; written at submit. */
  tracked: Generated<boolean>
}

/** `copied`: their words came with a copy. They may not approve it, and have no other part in it. */
export type MessageAuthorTable = { message_id: string; actor: string; copied: Generated<boolean> }

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

/** Marks are hashes that Node never reads. */
export type AudienceSampleTable = {
  message_id: string
  channel: Channel
  seed: string
  people: number
  mark_sum: string
  smallest: string[]
}

export type AudienceGroupTable = {
  message_id: string
  group_id: string
  kept_by: string | null
  last_change: number
}
