/**
 * Wall time: what a clock on the wall shows, in ms as though the clock were UTC. A time zone maps instants (ms since the
 * epoch) to it. Around a clock change, some wall times come twice and some never.
 */

/** Wider than any difference between a zone and UTC, so that both ends lie outside a change of the clock. */
const aroundMs = 27 * 3_600_000

/**
 * The instant at which the clocks of a zone (an IANA name) show a wall time: the first of two, and for one that does not
 * come, the end of the gap (docs/design/schedules.md).
 */
export function instantOf(wall: number, zone: string): number {
  const before = offsetAt(wall - aroundMs, zone)
  const after = offsetAt(wall + aroundMs, zone)
  const instants = [wall - before, wall - after].filter((instant) => wallOf(instant, zone) === wall)
  return instants.length > 0 ? Math.min(...instants) : endOfGap(wall, zone)
}

/** The wall time that the clocks of a zone show at an instant. */
export function wallOf(instant: number, zone: string): number {
  return instant + offsetAt(instant, zone)
}

/** The first instant at which the clocks show more than a wall time that they skip. */
function endOfGap(wall: number, zone: string): number {
  let [early, late] = [wall - aroundMs, wall + aroundMs]
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    if (wallOf(middle, zone) > wall) late = middle
    else early = middle
  }
  return late
}

/** How far the clocks of a zone are ahead of UTC at an instant (ms). */
function offsetAt(instant: number, zone: string): number {
  const second = Math.floor(instant / 1_000) * 1_000
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
  for (const { type, value } of clockOf(zone).formatToParts(second)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second: seconds = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, seconds) - second
}

/** To make a format takes much longer than to use it; there are some hundreds of zones. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(zone: string): Intl.DateTimeFormat {
  const existing = clocks.get(zone)
  if (existing) return existing
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  const clock = new Intl.DateTimeFormat('en-US', {
    ...numeric,
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
  })
  clocks.set(zone, clock)
  return clock
}
