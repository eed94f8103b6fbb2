import type { Language } from '../../language.ts'

const day = { weekday: 'short', day: 'numeric', month: 'short' } as const
const dayFormats = {
  en: new Intl.DateTimeFormat('en-GB', day),
  'zh-TW': new Intl.DateTimeFormat('zh-TW', day),
}
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** The day of an instant (ISO 8601) in the time zone of this machine. */
export function dayOf(at: string, language: Language): string {
  return dayFormats[language].format(new Date(at))
}

/** The hour and minute of an instant (ISO 8601) in the time zone of this machine. */
export function timeOf(at: string): string {
  return timeFormat.format(new Date(at))
}
