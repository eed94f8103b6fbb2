import type { Selectable } from 'kysely'
import type { DoNotRemindTable, MessageAnswerTable } from './tables/answers.ts'
import type { CallbackDeliveryTable, CallbackTable } from './tables/callbacks.ts'
import type {
  CategoryTable,
  PreferenceTable,
  TemplateTable,
  TemplateVersionTable,
  TopicTable,
  TopicUnsubscribeTable,
} from './tables/catalogue.ts'
import type { ClickCountTable, MailClickTable } from './tables/clicks.ts'
import type { CompositionAuthorTable, CompositionTable } from './tables/composition.ts'
import type {
  BatchTable,
  CallTable,
  ChannelRestTable,
  DeliveryTable,
  MailServerTable,
  WaveTable,
} from './tables/delivery.ts'
import type {
  EventBindingFormerTable,
  EventBindingTable,
  EventBindingVersionTable,
  EventKeyTable,
  EventSignatureTable,
  EventSourceClaimTable,
  EventTable,
} from './tables/events.ts'
import type { GroupChangeTable, GroupMemberTable, SubjectGroupTable } from './tables/groups.ts'
import type { HandoffMessageTable, HandoffNoticeTable, HandoffTable } from './tables/handoff.ts'
import type {
  ConsentHistoryTable,
  ErasureTable,
  ImportChunkTable,
  ImportRefusalTable,
  ImportTable,
} from './tables/identity.ts'
import type { MediaFileTable, MediaTable } from './tables/media.ts'
import type {
  AudienceGroupTable,
  AudienceSampleTable,
  AuditTable,
  MessageAuthorTable,
  MessageContentTable,
  MessageTable,
} from './tables/message.ts'
import type {
  ContactDayTable,
  ContactTable,
  DayMetricTable,
  PatternMetricTable,
  PeopleMetricTable,
  ReadSignalTable,
  WaveMetricTable,
} from './tables/metrics.ts'
import type { AuthorNoticeTable, NoticeTable } from './tables/notice.ts'
import type {
  PatternAnswerTable,
  PatternInvitationTable,
  PatternTable,
  RegistrationTable,
} from './tables/pattern.ts'
import type { QuotaDefaultTable, QuotaLedgerTable, QuotaReservationTable } from './tables/quota.ts'
import type { RateWindowTable, RenderStepsTable } from './tables/rate.ts'
import type { InboxReadTable } from './tables/recipients.ts'
import type {
  LookupEndpointTable,
  LookupTable,
  LookupWaitTable,
  ScenarioAnswerTable,
  ScenarioCountTable,
  ScenarioLayoutTable,
  ScenarioRunTable,
  ScenarioStartTable,
  ScenarioStepTable,
  ScenarioTable,
  ScenarioTriggerTable,
  ScenarioVersionTable,
  StartLineTable,
  TurnTable,
} from './tables/scenario.ts'
import type { OccurrenceTable, ScheduleTable } from './tables/schedule.ts'
import type { SignInTable } from './tables/sign-in.ts'
import type { MemberTable, PersonTable, ProducerKeyTable, SessionTable, UnitTable } from './tables/staff.ts'
import type {
  AddressHashKeyTable,
  AddressTable,
  ConsentTable,
  FormerAddressTable,
  SubjectTable,
  SuppressionTable,
} from './tables/subjects.ts'
import type { WebhookEventTable, WebhookHeadTable } from './tables/webhooks.ts'

export type * from './tables/answers.ts'
export type * from './tables/callbacks.ts'
export type * from './tables/catalogue.ts'
export type * from './tables/clicks.ts'
export type * from './tables/delivery.ts'
export type * from './tables/events.ts'
export type * from './tables/groups.ts'
export type * from './tables/handoff.ts'
export type * from './tables/identity.ts'
export type * from './tables/message.ts'
export type * from './tables/metrics.ts'
export type * from './tables/notice.ts'
export type * from './tables/pattern.ts'
export type * from './tables/quota.ts'
export type * from './tables/recipients.ts'
export type * from './tables/scenario.ts'
export type * from './tables/schedule.ts'
export type * from './tables/sign-in.ts'
export type * from './tables/staff.ts'
export type * from './tables/subjects.ts'
export type * from './tables/webhooks.ts'

/** The tables, as Kysely sees them. Defined in SQL: src/db/migrations. Rows never leave src/db and services. */
export type Database = {
  unit: UnitTable
  person: PersonTable
  member: MemberTable
  producer_key: ProducerKeyTable
  session: SessionTable
  subject: SubjectTable
  address: AddressTable
  former_address: FormerAddressTable
  address_hash_key: AddressHashKeyTable
  suppression: SuppressionTable
  consent: ConsentTable
  consent_history: ConsentHistoryTable
  import: ImportTable
  import_chunk: ImportChunkTable
  import_refusal: ImportRefusalTable
  erasure: ErasureTable
  category: CategoryTable
  topic: TopicTable
  template: TemplateTable
  template_version: TemplateVersionTable
  preference: PreferenceTable
  topic_unsubscribe: TopicUnsubscribeTable
  subject_group: SubjectGroupTable
  group_member: GroupMemberTable
  group_change: GroupChangeTable
  composition: CompositionTable
  composition_author: CompositionAuthorTable
  media: MediaTable
  media_file: MediaFileTable
  message: MessageTable
  message_content: MessageContentTable
  message_author: MessageAuthorTable
  audience_group: AudienceGroupTable
  audience_sample: AudienceSampleTable
  audit: AuditTable
  do_not_remind: DoNotRemindTable
  message_answer: MessageAnswerTable
  click_count: ClickCountTable
  mail_click: MailClickTable
  notice: NoticeTable
  author_notice: AuthorNoticeTable
  event: EventTable
  event_binding: EventBindingTable
  event_binding_version: EventBindingVersionTable
  event_binding_former: EventBindingFormerTable
  event_key: EventKeyTable
  event_source_claim: EventSourceClaimTable
  event_signature: EventSignatureTable
  callback: CallbackTable
  callback_delivery: CallbackDeliveryTable
  wave: WaveTable
  delivery: DeliveryTable
  batch: BatchTable
  call: CallTable
  channel_rest: ChannelRestTable
  mail_server: MailServerTable
  quota_default: QuotaDefaultTable
  quota_ledger: QuotaLedgerTable
  quota_reservation: QuotaReservationTable
  rate_window: RateWindowTable
  render_steps: RenderStepsTable
  inbox_read: InboxReadTable
  webhook_event: WebhookEventTable
  webhook_head: WebhookHeadTable
  sign_in: SignInTable
  scenario: ScenarioTable
  scenario_layout: ScenarioLayoutTable
  scenario_version: ScenarioVersionTable
  start_line: StartLineTable
  scenario_trigger: ScenarioTriggerTable
  scenario_start: ScenarioStartTable
  scenario_run: ScenarioRunTable
  scenario_step: ScenarioStepTable
  scenario_count: ScenarioCountTable
  scenario_answer: ScenarioAnswerTable
  turn: TurnTable
  lookup_endpoint: LookupEndpointTable
  lookup: LookupTable
  lookup_wait: LookupWaitTable
  schedule: ScheduleTable
  occurrence: OccurrenceTable
  wave_metric: WaveMetricTable
  read_signal: ReadSignalTable
  day_metric: DayMetricTable
  contact: ContactTable
  contact_day: ContactDayTable
  people_metric: PeopleMetricTable
  pattern_metric: PatternMetricTable
  handoff: HandoffTable
  handoff_message: HandoffMessageTable
  handoff_notice: HandoffNoticeTable
  pattern: PatternTable
  registration: RegistrationTable
  pattern_answer: PatternAnswerTable
  pattern_invitation: PatternInvitationTable
}

/** Whole rows, as read. */
export type MessageRow = Selectable<MessageTable>
export type WaveRow = Selectable<WaveTable>
export type OccurrenceRow = Selectable<OccurrenceTable>
