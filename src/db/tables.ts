import type { Selectable } from 'kysely'
import type { AnswerTables } from './tables/answers.ts'
import type { CallbackTables } from './tables/callbacks.ts'
import type { CatalogueTables } from './tables/catalogue.ts'
import type { ClickTables } from './tables/clicks.ts'
import type { CompositionTables } from './tables/composition.ts'
import type { DeliveryTables, WaveTable } from './tables/delivery.ts'
import type { EventTables } from './tables/events.ts'
import type { GroupTables } from './tables/groups.ts'
import type { HandoffTables } from './tables/handoff.ts'
import type { IdentityTables } from './tables/identity.ts'
import type { MediaTables } from './tables/media.ts'
import type { MessageTable, MessageTables } from './tables/message.ts'
import type { MetricTables } from './tables/metrics.ts'
import type { NoticeTables } from './tables/notice.ts'
import type { PatternTables } from './tables/pattern.ts'
import type { QuotaTables } from './tables/quota.ts'
import type { RateTables } from './tables/rate.ts'
import type { RecipientTables } from './tables/recipients.ts'
import type { ScenarioTables } from './tables/scenario.ts'
import type { OccurrenceTable, ScheduleTables } from './tables/schedule.ts'
import type { SignInTables } from './tables/sign-in.ts'
import type { StaffTables } from './tables/staff.ts'
import type { SubjectTables } from './tables/subjects.ts'
import type { WebhookTables } from './tables/webhooks.ts'

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
export type Database = StaffTables &
  SubjectTables &
  IdentityTables &
  CatalogueTables &
  GroupTables &
  CompositionTables &
  MediaTables &
  MessageTables &
  AnswerTables &
  ClickTables &
  NoticeTables &
  EventTables &
  CallbackTables &
  DeliveryTables &
  QuotaTables &
  RateTables &
  RecipientTables &
  WebhookTables &
  SignInTables &
  ScenarioTables &
  ScheduleTables &
  MetricTables &
  HandoffTables &
  PatternTables

/** Whole rows, as read. */
export type MessageRow = Selectable<MessageTable>
export type WaveRow = Selectable<WaveTable>
export type OccurrenceRow = Selectable<OccurrenceTable>
