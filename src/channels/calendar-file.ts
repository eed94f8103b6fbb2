import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { DateTime } from 'luxon'
import { tzlib_get_ical_block } from 'timezones-ical-library'
import type { Locale } from '../contract/enums.ts'
import { endOf, type TitledEntry } from '../domain/content/calendar.ts'
import { localise } from '../domain/content/localise.ts'
import type { SendingUnit } from '../domain/content/sending-unit.ts'

/** The media type of a calendar file. */
export const calendarType = 'text/calendar'

/** An entry and its file. `uid`: the same in every file of it. `madeAt`: when it became as it is, ms since the epoch. */
export type CalendarFile = {
  uid: string
  madeAt: number
  entry: TitledEntry
  unit: Pick<SendingUnit, 'name' | 'timeZone'>
  /** The address in whose name the file is published. */
  organiser: string
}

/**
 * The iCalendar file (RFC 5545) of an entry, at the local time of its unit. A changed one has the same UID and a higher
 * `sequence`, without which calendar programs ignore it; a cancelled one is taken out. Pure: the same input gives the same bytes.
 */
export function writeCalendarFile(
  { uid, madeAt, entry, unit, organiser }: CalendarFile,
  locale: Locale,
  { cancelled = false, sequence = cancelled ? 1 : 0 }: { cancelled?: boolean; sequence?: number } = {},
): string {
  const zone = zoneOf(unit.timeZone)
  const calendar = ical({
    prodId: { company: 'Carillon', product: 'Carillon' },
    method: cancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
    timezone: { name: null, generator: () => zone.block },
  })
  calendar.createEvent({
    id: uid,
    sequence,
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    stamp: DateTime.fromMillis(madeAt),
    start: DateTime.fromISO(entry.start),
    end: DateTime.fromJSDate(endOf(entry)),
    timezone: zone.name,
    summary: localise(locale, entry.title),
    ...(entry.location && { location: localise(locale, entry.location) }),
    organizer: { name: localise(locale, unit.name), email: organiser },
  })
  return `${calendar.toString()}\r\n`
}

/**
 * A time zone by its canonical name, which its definition has: `Asia/Kolkata` for `Asia/Calcutta`. A file that names one
 * and defines the other is shown at another time.
 */
function zoneOf(timeZone: string): { name: string; block: string | null } {
  // Names are accepted in any case, which the library is particular about.
  const spelt = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  const [block, parameter] = tzlib_get_ical_block(spelt)
  const [, name] = /^TZID=(.+)$/.exec(parameter ?? '') ?? []
  return name && block ? { name, block } : { name: timeZone, block: null }
}
