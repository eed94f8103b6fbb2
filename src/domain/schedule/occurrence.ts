import type { MissedReason } from '../../contract/enums.ts'
import { occurrencesAfter, type Recurrence } from './cron.ts'
import { wallOf } from './wall-time.ts'

/** When a schedule fires: once, at an instant or so long after it was enabled; or again and again. */
export type When =
  | { type: 'once'; at: number }
  | { type: 'delay'; delaySeconds: number }
  | ({ type: 'recurring' } & Recurrence)

/** The first instant after `now` (both ms since the epoch) at which a schedule enabled now is due; null: none comes. */
export function firstDue(when: When, now: number): number | null {
  switch (when.type) {
    case 'once':
      return when.at > now ? when.at : null
    case 'delay':
      return now + when.delaySeconds * 1_000
    case 'recurring':
      return occurrencesAfter(when, now).next().value ?? null
  }
}

/** The next instants of a schedule that is due at `nextAt`, that one included; at most `most`. */
export function upcoming(when: When, nextAt: number, most: number): number[] {
  const instants = [nextAt]
  if (when.type !== 'recurring') return instants
  for (const instant of occurrencesAfter(when, nextAt)) {
    if (instants.length >= most) break
    instants.push(instant)
  }
  return instants
}

/** What names an occurrence among those of its schedule: the zone, and what its clocks show. */
export function occurrenceKey(when: When, dueAt: number): string {
  if (when.type !== 'recurring') return `UTC ${new Date(dueAt).toISOString()}`
  return `${when.timeZone} ${new Date(wallOf(dueAt, when.timeZone)).toISOString().slice(0, 16)}`
}

/** How late an occurrence is still made up: less than an hour. */
const madeUpForMs = 3_600_000

/**
 * The occurrences of a schedule that are due at `now`, at most `most`: those that are missed, in order, and the one to
 * make. `nextAt`: what follows them; null: nothing. `validMs`: how long after it is due an occurrence makes sense.
 * Times are ms since the epoch.
 */
export type DueOccurrences = {
  missed: { dueAt: number; reason: MissedReason }[]
  make: number | null
  nextAt: number | null
}

/** Only the newest is made: people want what is due once, not once for each time that could not be sent. */
export function dueOccurrences(
  when: When,
  nextAt: number,
  { now, validMs, most }: { now: number; validMs: number; most: number },
): DueOccurrences {
  const instants = upcoming(when, nextAt, most + 1)
  const follows = instants.findIndex((instant) => instant > now)
  const due = follows < 0 ? instants.slice(0, most) : instants.slice(0, follows)
  const next = instants[due.length] ?? null
  const newest = due.at(-1)
  if (newest === undefined) return { missed: [], make: null, nextAt: next }
  const lateMs = now - newest
  const isMade = (next === null || next > now) && lateMs < Math.min(madeUpForMs, validMs)
  const missed = (isMade ? due.slice(0, -1) : due).map((dueAt) => {
    const late = now - dueAt >= Math.min(madeUpForMs, validMs)
    return { dueAt, reason: late ? ('late' as const) : ('superseded' as const) }
  })
  return { missed, make: isMade ? newest : null, nextAt: next }
}
