import { writeCalendarFile } from '../../channels/calendar-file.ts'
import { findMessageEntry, findPlaceEntry } from '../../db/queries/message/calendar.ts'
import type { Services } from '../context.ts'
import { calendarFileOf, type EntryOwner, noPerson } from '../messages/calendar.ts'

/** The file that an address leads to; or its message is yet to be sent, or the entry is no longer kept. */
export type OpenedFile = { file: string } | 'unsent' | 'gone'

/**
 * The file of a calendar entry as it stands now: a cancelled one where the message was stopped or cancelled, or the person
 * has given up their place (docs/design/links.md). Null: no such address.
 */
export async function openCalendarFile(services: Services, token: string): Promise<OpenedFile | null> {
  const link = services.links?.verify(token)
  if (link?.target.purpose !== 'calendar') return null
  const { waveId, subjectId, target } = link
  const owner: EntryOwner = subjectId === noPerson ? { messageId: waveId } : { patternId: waveId, subjectId }
  const { db } = services
  const record = 'messageId' in owner ? await findMessageEntry(db, owner) : await findPlaceEntry(db, owner)
  if (!record) return null
  if (!record.sent) return 'unsent'
  const { entry, unit, title, cancelled, changedAt, changes: sequence } = record
  if (!entry) return 'gone'
  const of = calendarFileOf(services, owner, { entry, unit, title })
  const madeAt = changedAt?.getTime() ?? of.madeAt
  return { file: writeCalendarFile({ ...of, madeAt }, target.locale, { cancelled, sequence }) }
}
