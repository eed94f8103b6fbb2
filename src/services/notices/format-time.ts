import type { Locale } from '../../contract/enums.ts'

/** A date and time for a mail, in the language of its reader and the time zone of the unit. */
export function formatTime(language: Locale, timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at)
}
