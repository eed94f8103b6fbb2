/** A calendar month, as its first day: `YYYY-MM-01`. */
export type Month = string

/**
 * The calendar month in which an instant lies for a clock in `timeZone` (an IANA name; an unknown one throws
 * RangeError).
 */
export function monthOf(instant: Date, timeZone: string): Month {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
  }).formatToParts(instant)
  const value = (type: 'year' | 'month') => parts.find((part) => part.type === type)!.value
  return `${value('year').padStart(4, '0')}-${value('month')}-01`
}
