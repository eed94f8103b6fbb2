/** A calendar month, as its first day: `YYYY-MM-01`. */
export type Month = string

/**
 * The calendar month of an instant in `timeZone` (an IANA name).
 * @throws RangeError if the time zone is unknown
 */
export function monthOf(instant: Date, timeZone: string): Month {
  const parts = formatOf(timeZone).formatToParts(instant)
  const value = (type: 'year' | 'month') => parts.find((part) => part.type === type)!.value
  return `${value('year').padStart(4, '0')}-${value('month')}-01`
}

/** By time zone, of which an installation has one: making a format takes ten times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
  })
  formats.set(timeZone, format)
  return format
}
