/** When a category does not disturb, in local wall time: `HH:MM`; `to` may be on the next morning. */
export type QuietHours = { from: string; to: string }

/** Quiet hours, and the zone (an IANA name) whose clock they are read on. */
export type QuietPeriod = { hours: QuietHours; timeZone: string }

const minuteMs = 60_000
const day = 24 * 60

/**
 * The end of the quiet hours in which `now` lies (both ms since the epoch), null where it lies in none. Where the clock
 * skips their end, they end with the skip; an hour that comes twice is quiet both times, or not at all.
 */
export function quietHoursEnd({ hours, timeZone }: QuietPeriod, now: number): number | null {
  const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)]
  const clock = wallClock(timeZone)
  if (!isQuiet(clock(now), from, to)) return null
  // By the wall clock; a change of the clock in between is put right by looking at it again.
  let end = Math.floor(now / minuteMs) * minuteMs + between(clock(now), to) * minuteMs
  for (let looks = 0; looks < 2; looks++) end -= signed(clock(end) - to) * minuteMs
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

/** Minutes from one time of the day to the next time that it is `to`. */
function between(minute: number, to: number): number {
  return (to - minute + day) % day
}

/** The shorter way round the clock. */
function signed(minutes: number): number {
  return ((((minutes + day / 2) % day) + day) % day) - day / 2
}
