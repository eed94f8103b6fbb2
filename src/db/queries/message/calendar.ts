import { sql } from 'kysely'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { CalendarEntry } from '../../../contract/messages/calendar.ts'
import type { SendingUnit } from '../../../domain/content/sending-unit.ts'
import type { Db } from '../../connect.ts'
import { sendingUnit } from '../identity/unit.ts'

/** A calendar entry as its file is written from it. */
type FoundEntry = {
  /** Null: past retention, or it has none. */
  entry: CalendarEntry | null
  /** Of its message or pattern. */
  title: LocalisedText
  unit: SendingUnit
  /** Its message has been sent to somebody, or its pattern has taken the person. */
  sent: boolean
  cancelled: boolean
  /** When it became what it is now, and how often it has changed; null: it is as it was made. */
  changedAt: Date | null
  changes: number
}

/** The entry of a message; undefined if the message does not exist. */
export async function findMessageEntry(
  db: Db,
  { messageId }: { messageId: string },
): Promise<FoundEntry | undefined> {
  const { rows } = await sql<FoundEntry>`
    select content.request -> 'calendar' as entry, m.title, ${sendingUnit} as unit,
      exists (select from wave where wave.message_id = m.id and wave.started_at is not null) as sent,
      gone as cancelled, case when gone then m.closed_at end as "changedAt", gone::integer as changes
    from message m
      join message_content content on content.message_id = m.id
      join unit on unit.id = m.unit_id
      cross join lateral (select m.state in ('cancelled', 'stopped') as gone) as state
    where m.id = ${messageId}::uuid`.execute(db)
  return rows[0]
}

/** The entry of one person's place in a pattern; undefined if they have never asked for one, or were erased. */
export async function findPlaceEntry(
  db: Db,
  { patternId, subjectId }: { patternId: string; subjectId: string },
): Promise<FoundEntry | undefined> {
  const { rows } = await sql<FoundEntry>`
    select pattern.calendar as entry, pattern.title, ${sendingUnit} as unit, true as sent,
      registration.state <> 'registered' as cancelled, registration.at as "changedAt", registration.changes
    from registration
      join pattern on pattern.id = registration.pattern_id
      join unit on unit.id = pattern.unit_id
    where registration.pattern_id = ${patternId}::uuid and registration.subject_id = ${subjectId}::uuid`.execute(
    db,
  )
  return rows[0]
}
