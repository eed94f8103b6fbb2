import type { Locale } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CalendarEntry } from '../../contract/messages/calendar.ts'
import { localise } from './localise.ts'
import { spokenTime } from './reminder-time.ts'

/** An entry with its title. */
export type TitledEntry = CalendarEntry & { title: LocalisedText }

/** How long an entry without an end is (ms). */
const defaultLengthMs = 60 * 60_000

/** When an entry ends. */
export function endOf({ start, end }: Pick<CalendarEntry, 'start' | 'end'>): Date {
  return new Date(end ?? Date.parse(start) + defaultLengthMs)
}

/** An entry as people read it: what, when in this IANA time zone, and where. */
export function calendarLines(
  locale: Locale,
  { title, location, ...times }: TitledEntry,
  timeZone: string,
): string[] {
  const lines = [localise(locale, title), spokenSpan(locale, times, timeZone)]
  return location ? [...lines, localise(locale, location)] : lines
}

function spokenSpan(
  locale: Locale,
  { start, end }: Pick<CalendarEntry, 'start' | 'end'>,
  timeZone: string,
): string {
  const first = spokenTime(locale, { at: new Date(start), timeZone })
  if (end === undefined) return first.moment.trim()
  const last = spokenTime(locale, { at: new Date(end), timeZone })
  const sameDay = first.day === last.day && Date.parse(end) - Date.parse(start) < 24 * 60 * 60_000
  return `${first.moment.trim()}–${sameDay ? last.time : last.moment.trim()}`
}

/** The label of the button that offers an entry, and of the one that takes it back. */
export const calendarLabels: Record<'add' | 'remove', Record<Locale, string>> = {
  add: { 'zh-TW': '加入行事曆', en: 'Add to calendar' },
  remove: { 'zh-TW': '從行事曆移除', en: 'Remove from calendar' },
}
