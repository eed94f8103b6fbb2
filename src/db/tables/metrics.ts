import type { ColumnType, Generated } from 'kysely'
import type { Stage } from '../../contract/enums.ts'
import type { Day, DefaultJson, Instant, MaybeInstant } from './columns.ts'

/** The numbers of units (docs/design/metrics.md). Defined in SQL: src/db/migrations. */

export type MetricTables = {
  wave_metric: WaveMetricTable
  read_signal: ReadSignalTable
  day_metric: DayMetricTable
  contact: ContactTable
  contact_day: ContactDayTable
  people_metric: PeopleMetricTable
  pattern_metric: PatternMetricTable
}

export type WaveMetricTable = {
  wave_id: string
  message_id: string
  unit_id: string
  number: number
  /** Of the end of the wave, in the time zone of the unit. */
  date: Day
  /** Deliveries that arrived or may have. */
  sent: number
  /** People who have such a delivery; 0 for a reminder. */
  reached: number
  /** Those of them who marked it read, answered or asked for no reminder, so far. */
  read: Generated<number>
  do_not_remind: Generated<number>
  /** A first wave whose message has a reminder. */
  reminded: boolean
}

export type ReadSignalTable = { id: ColumnType<number, never, never>; message_id: string }

/** `people` and what follows it: written when the night is closed; null: not counted. */
export type DayMetricTable = {
  unit_id: string
  date: Day
  sent: Generated<number>
  reached: Generated<number>
  read: Generated<number>
  people: number | null
  blocked: number | null
  unsubscribes: number | null
  handoffs: number | null
  answers: number | null
  completed: number | null
  closed_at: MaybeInstant
  /** How often that failed, and when it is tried again. */
  close_tries: Generated<number>
  close_at: MaybeInstant
}

/** Who was invited by a pattern, and went to the end; as they were at `counted_at`. */
export type PatternMetricTable = {
  pattern_id: string
  invited: Generated<number>
  completed: Generated<number>
  counted_at: Instant
}

export type ContactTable = { unit_id: string; subject_id: string; first_on: Day; last_on: Day }

export type ContactDayTable = { unit_id: string; date: Day; people: number }

export type PeopleMetricTable = {
  id: Generated<boolean>
  funnel: DefaultJson<Record<string, Record<Stage, number>>>
  interests: DefaultJson<Record<string, number>>
  alumni: Generated<number>
  alumni_active: DefaultJson<Record<string, number>>
  counted_at: MaybeInstant
}
