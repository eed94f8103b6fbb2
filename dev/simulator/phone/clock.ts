const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** The day of an instant (ISO 8601) in the time zone of this machine. */
export function dayOf(at: string): string {
  return dayFormat.format(new Date(at))
}

/** The hour and minute of an instant (ISO 8601) in the time zone of this machine. */
export function timeOf(at: string): string {
  return timeFormat.format(new Date(at))
}
