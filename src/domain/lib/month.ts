/** A calendar month, as its first day: `YYYY-MM-01`. */
export type Month = string

/**
 * The calendar month of an instant in `timeZone` (an IANA name).
 * @throws RangeError if the time zone is unknown
 */
export function monthOf(instant: Date, timeZone: string): Month {
  return `${dayOf(instant, timeZone).slice(0, -3)}-01`
}

/** The calendar day of an instant in `timeZone`: `YYYY-MM-DD`. */
export function dayOf(instant: Date, timeZone: string): string {
  const parts = formatOf(timeZone).formatToParts(instant)
  const value = (type: 'year' | 'month' | 'day') => parts.find((part) => part.type === type)!.value
  return `${value('year').padStart(4, '0')}-${value('month')}-${value('day')}`
}

/** How many days a month has. */
export function daysIn(month: Month): number {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number, 0)).getUTCDate()
}

/** By time zone, of which an installation has one: making a format takes ten times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const existing = formats.get(timeZone)
  if (existing) return existing
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  formats.set(timeZone, format)
  return format
}
