const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i

/** The instant that a text states (ISO 8601 with an offset), in ms since the epoch; null if it states none. */
export function instantIn(value: unknown): number | null {
  if (typeof value !== 'string' || !withOffset.test(value)) return null
  const instant = Date.parse(value.toUpperCase())
  return Number.isNaN(instant) || !isDay(value.slice(0, 10)) ? null : instant
}

/** Whether a month has so many days: JavaScript reads 30 February as 2 March. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day)
}
