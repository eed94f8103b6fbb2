import type { Locale } from '../../../contract/enums.ts'

/** A count as people of this language write it. */
export function numberOf(locale: Locale, count: number): string {
  return count.toLocaleString(locale)
}

/** An instant in the time zone of the unit, which is named, since a reader may be elsewhere. */
export function dateOf(locale: Locale, timeZone: string, at: string): string {
  const format = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: locale === 'en' ? 'short' : 'long',
    day: 'numeric',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  })
  const [open, close] = locale === 'en' ? [' (', ')'] : ['（', '）']
  return `${format.format(new Date(at))}${open}${zoneName(locale, timeZone, at)}${close}`
}

/** A time zone as people call it, such as *Taiwan Standard Time*. */
export function zoneName(locale: Locale, timeZone: string, at: string): string {
  const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' })
  const name = format.formatToParts(new Date(at)).find(({ type }) => type === 'timeZoneName')
  return name?.value ?? timeZone
}

/** The same for a list or a button: with the year where it is another one than now. */
export function shortDateOf(locale: Locale, timeZone: string, at: string, now = new Date()): string {
  const yearOf = (moment: Date) => new Intl.DateTimeFormat('en', { year: 'numeric', timeZone }).format(moment)
  const format = new Intl.DateTimeFormat(locale, {
    ...(yearOf(now) !== yearOf(new Date(at)) && { year: 'numeric' }),
    month: locale === 'en' ? 'short' : 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  })
  return format.format(new Date(at))
}

/** The time of day of an instant; with its date, unless that is today. */
export function timeOf(locale: Locale, timeZone: string, at: string, now = new Date()): string {
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'short', timeZone })
  if (day.format(now) !== day.format(new Date(at))) return shortDateOf(locale, timeZone, at)
  const format = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  })
  return format.format(new Date(at))
}

const nearDays: Record<Locale, [today: string, tomorrow: string]> = {
  'zh-TW': ['今天', '明天'],
  en: ['today', 'tomorrow'],
}
const dayMs = 24 * 3_600_000

/** A time to come, as people say it: *today 18:00*, *tomorrow 08:00*, or with its date. */
export function nearTimeOf(locale: Locale, timeZone: string, at: string, now = new Date()): string {
  const dayOf = (moment: Date) =>
    new Intl.DateTimeFormat('en', { dateStyle: 'short', timeZone }).format(moment)
  const ahead = [0, dayMs].findIndex((ms) => dayOf(new Date(now.getTime() + ms)) === dayOf(new Date(at)))
  const day = nearDays[locale][ahead]
  if (day === undefined) return shortDateOf(locale, timeZone, at, now)
  return `${day} ${timeOf(locale, timeZone, at, new Date(at))}`
}

/** The month of an instant, such as *December 2026*. */
export function monthOf(locale: Locale, timeZone: string, at: string): string {
  return new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone }).format(new Date(at))
}
