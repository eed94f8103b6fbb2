import type { Generated } from 'kysely'
import type { PatternType, RegistrationState } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CalendarEntry } from '../../contract/messages/calendar.ts'
import type { PatternQuestion } from '../../contract/patterns/pattern.ts'
import type { DefaultInstant, DefaultJson, Instant, Json, MaybeInstant, MaybeJson } from './columns.ts'

/** Patterns, who takes part in them, and what people answered. Defined in SQL: src/db/migrations. */

export type PatternTables = {
  pattern: PatternTable
  registration: RegistrationTable
  pattern_answer: PatternAnswerTable
  pattern_invitation: PatternInvitationTable
}

export type PatternTable = {
  id: Generated<string>
  unit_id: string
  scenario_id: string
  type: PatternType
  title: Json<LocalisedText>
  description: MaybeJson<LocalisedText>
  /** With the one that decides about taking part. */
  questions: Json<PatternQuestion[]>
  /** The question that decides about taking part; null: there is none. */
  attendance: string | null
  deadline: Instant
  /** When the deadline was changed, until the open runs know it. */
  retimed_at: MaybeInstant
  /** How often the deadline was changed. */
  retiming: Generated<number>
  /** The last run, in the order of their ids, that was woken to read the changed deadline. */
  retimed_upto: string | null
  capacity: number | null
  waiting_list: boolean
  /** What people with a place can add to their calendars. */
  calendar: MaybeJson<CalendarEntry>
  /** Counts of what retention has deleted. */
  kept: DefaultJson<Record<string, number>>
  created_by: string
  created_at: DefaultInstant
}

export type RegistrationTable = {
  pattern_id: string
  place: number
  /** Null: the person was erased, or the row is past retention. */
  subject_id: string | null
  run_id: string | null
  state: RegistrationState
  /** When somebody who waited got the place, until their run has moved on by it. */
  promoted_at: MaybeInstant
  /** Whether that run is to be woken. */
  wake_due: Generated<boolean>
  /** When `state` changed last, and how often it has. */
  at: DefaultInstant
  changes: Generated<number>
}

export type PatternAnswerTable = {
  pattern_id: string
  subject_id: string | null
  question: string
  option_id: string | null
  /** What was typed; null without a name. */
  text: string | null
  at: DefaultInstant
}

export type PatternInvitationTable = { pattern_id: string; message_id: string }
