/** What the decision needs to know of a schedule. Times are ms since the epoch. */
export type ScheduleFacts = {
  closed: boolean
  /** When it is due; null: it is disabled. */
  nextAt: number | null
  /** Until when the run waits because its step kept failing. */
  parkedUntil: number | null
}

/** What the run of a schedule waits for; operators read it in the Temporal UI. */
export type ScheduleWait = 'time' | 'enabling' | 'retry'

/** What the run of a schedule does next. `ms`: how long to wait, by the clock of `now`; null: until a person acts. */
export type ScheduleStep =
  | { do: 'wait'; for: ScheduleWait; until: string | null; ms: number | null }
  | { do: 'makeOccurrence' }
  | { do: 'end' }

/** What the run of a schedule does next, at this moment (ms since the epoch). */
export function decideScheduleStep(
  { closed, nextAt, parkedUntil }: ScheduleFacts,
  now: number,
): ScheduleStep {
  if (closed) return { do: 'end' }
  if (nextAt === null) return { do: 'wait', for: 'enabling', until: null, ms: null }
  if (parkedUntil !== null && parkedUntil > now) return waitUntil('retry', parkedUntil, now)
  return nextAt <= now ? { do: 'makeOccurrence' } : waitUntil('time', nextAt, now)
}

function waitUntil(reason: ScheduleWait, until: number, now: number): ScheduleStep {
  return { do: 'wait', for: reason, until: new Date(until).toISOString(), ms: until - now }
}
