import type { Language } from '../../language.ts'
import { demoTimeZone as timeZone } from '../../time-zone.ts'

const day = { weekday: 'short', day: 'numeric', month: 'short', timeZone } as const
const dayFormats = {
  en: new Intl.DateTimeFormat('en-GB', day),
  'zh-TW': new Intl.DateTimeFormat('zh-TW', day),
}
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })

/** The day of an instant (ISO 8601) in the time zone of the demo. */
export function dayOf(at: string, language: Language): string {
  return dayFormats[language].format(new Date(at))
}

/** The hour and minute of an instant (ISO 8601) in the time zone of the demo. */
export function timeOf(at: string): string {
  return timeFormat.format(new Date(at))
}
