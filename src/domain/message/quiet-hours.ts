/** When a category does not send, in local time: `HH:MM`; `to` may be on the next day. */
type QuietHours = { from: string; to: string }

/** Quiet hours, and their time zone (an IANA name). */
export type QuietPeriod = { hours: QuietHours; timeZone: string }

const minuteMs = 60_000
const day = 24 * 60

/**
 * The end of the quiet hours that contain `now` (both ms since the epoch), or null. If a clock change skips their end,
 * they end with the change; an hour that occurs twice is quiet both times, or not at all.
 */
export function quietHoursEnd({ hours, timeZone }: QuietPeriod, now: number): number | null {
  const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)]
  const clock = wallClock(timeZone)
  if (!isQuiet(clock(now), from, to)) return null
  // By local time; the loop corrects for a clock change in between.
  let end = Math.floor(now / minuteMs) * minuteMs + between(clock(now), to) * minuteMs
  for (let pass = 0; pass < 2; pass++) end -= signed(clock(end) - to) * minuteMs
  return end
}

function isQuiet(minute: number, from: number, to: number): boolean {
  return from <= to ? from <= minute && minute < to : from <= minute || minute < to
}

/** Minutes since midnight. */
function minutesOf(time: string): number {
  const [hour, minute] = time.split(':').map(Number)
  return hour! * 60 + minute!
}

function wallClock(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  return (instant) => minutesOf(format.format(instant))
}

/** Minutes from one time of day until the next `to`. */
function between(minute: number, to: number): number {
  return (to - minute + day) % day
}

/** A difference in minutes, as the shorter way around the clock. */
function signed(minutes: number): number {
  return ((((minutes + day / 2) % day) + day) % day) - day / 2
}
