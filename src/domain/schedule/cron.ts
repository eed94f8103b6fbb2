import { Cron } from 'croner'
import { type Broken, broken } from '../../contract/rules.ts'
import { instantOf, wallOf } from './wall-time.ts'

/** When a schedule recurs: a cron expression of five fields, by the clocks of a zone (an IANA name). */
export type Recurrence = { cron: string; timeZone: string }

/** The shortest time between two occurrences. */
export const shortestPauseMinutes = 5

/** Numbers, names of months and days, and `* , - /`; `L` and `#` select by the end or week of a month. */
const fiveFields = /^[\dA-Z*,/#-]+(?: +[\dA-Z*,/#-]+){4}$/i

/** What is wrong with a cron expression, as the rule that it breaks; null: nothing. */
export function cronIssue(cron: string): Broken | null {
  if (!fiveFields.test(cron)) return broken('wrong_format', { format: 'cron_fields' })
  const walls = wallsOf(cron)
  if (walls === null) return broken('wrong_format', { format: 'cron' })
  if (walls.nextRun(new Date(0)) === null) return broken('no_such_day', { of: 'cron' })
  if (shortestPause(cron) < shortestPauseMinutes)
    return broken('too_frequent', { limit: shortestPauseMinutes, unit: 'minutes' })
  return null
}

/**
 * The occurrences after an instant (ms since the epoch), in order. Each is an instant; times that fall into one gap of
 * the clock are one occurrence, at its end, and a time that comes twice occurs the first time only.
 */
export function* occurrencesAfter({ cron, timeZone }: Recurrence, after: number): Generator<number> {
  const walls = wallsOf(cron)
  let last = after
  let wall = new Date(wallOf(after, timeZone))
  for (;;) {
    const next = walls?.nextRun(wall)
    if (!next) return
    wall = next
    const instant = instantOf(wall.getTime(), timeZone)
    if (instant <= last) continue
    last = instant
    yield instant
  }
}

/** The times of an expression on a clock that never changes; null if it is malformed. */
function wallsOf(cron: string): Cron | null {
  try {
    return new Cron(cron, { mode: '5-part', timezone: 'UTC' })
  } catch {
    return null
  }
}

/** Minutes between the two closest times of a day, also from one day to the next. */
function shortestPause(cron: string): number {
  const [minute, hour] = cron.trim().split(/ +/)
  const daily = wallsOf(`${minute} ${hour} * * *`)
  const first = daily?.nextRun(new Date(0))
  if (!daily || !first) return 0
  let shortest = Number.POSITIVE_INFINITY
  for (let wall = first; wall.getTime() <= first.getTime() + 86_400_000; ) {
    const next = daily.nextRun(wall)!
    shortest = Math.min(shortest, (next.getTime() - wall.getTime()) / 60_000)
    wall = next
  }
  return shortest
}
