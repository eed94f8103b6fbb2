import type { Generated } from 'kysely'
import type {
  DisabledScheduleReason,
  MissedReason,
  OccurrenceOutcome,
  ScheduleState,
  ScheduleType,
} from '../../contract/enums.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { ScheduledMessage, ScheduledStart } from '../../contract/schedules/content.ts'
import type { DefaultInstant, MaybeInstant, MaybeJson } from './columns.ts'
import type { RunColumns } from './run.ts'

/** Schedules and their occurrences. Defined in SQL: src/db/migrations. */

export type ScheduleTables = {
  schedule: ScheduleTable
  occurrence: OccurrenceTable
}

export type ScheduleTable = RunColumns & {
  id: Generated<string>
  unit_id: string
  idempotency_key: string | null
  /** Of the request under this key. */
  body_hash: Buffer | null
  name: string
  type: ScheduleType
  at: MaybeInstant
  delay_seconds: number | null
  cron: string | null
  time_zone: string | null
  category_id: string
  message: MaybeJson<ScheduledMessage>
  scenario_id: string | null
  start: MaybeJson<ScheduledStart>
  state: ScheduleState
  disabled_reason: DisabledScheduleReason | null
  /** Whose rights it has: who wrote last what it makes, or when. */
  acts_for: string
  /** Everyone who wrote what it makes, or when. */
  authors: string[]
  created_by: string
  created_at: DefaultInstant
  updated_at: DefaultInstant
  /** When it is due; null: it is disabled, over or deleted. */
  next_at: MaybeInstant
  /** Counts changes of when it is due. */
  plan: Generated<number>
  /** Refused and failed occurrences in a row. */
  failures: Generated<number>
}

/** Why an occurrence made nothing, as a call would have been answered. */
type OccurrenceError = { code: ErrorCode; message: string; details?: Record<string, unknown> }

export type OccurrenceTable = {
  id: Generated<string>
  schedule_id: string
  /** The time zone, and what its clocks showed. */
  key: string
  due_at: DefaultInstant
  /** Of the schedule, when it occurred. */
  plan: number
  /** When the schedule was due next. */
  next_at: MaybeInstant
  outcome: OccurrenceOutcome
  reason: MissedReason | null
  error: MaybeJson<OccurrenceError>
  message_id: string | null
  runs: number | null
  at: DefaultInstant
}
