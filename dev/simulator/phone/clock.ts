const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** The day of a moment (ISO 8601), on the clock of this machine, which is the reader's own. */
export function dayOf(at: string): string {
  return dayFormat.format(new Date(at))
}

/** The hour and minute of a moment, likewise. */
export function timeOf(at: string): string {
  return timeFormat.format(new Date(at))
}
