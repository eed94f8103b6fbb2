import type { NextWakeup } from '../db/queries/run/observed-version.ts'
import {
  observeSchedule,
  recordObservedSchedule,
  type ScheduleView,
} from '../db/queries/schedule/observe-schedule.ts'
import type { OperatorMove, RunSignal } from '../domain/run/signals.ts'
import { countRunEnd } from '../metrics/runs.ts'
import type { Services } from '../services/context.ts'
import { makeOccurrence } from '../services/schedules/make-occurrence.ts'
import { requestOfSchedule } from '../services/schedules/request.ts'

/** A schedule as its run reads it: ids, enum values and times (ms, by Postgres' clock, as is `now`). */
export type ScheduleReading = ScheduleView & {
  now: number
  closed: boolean
  /** When it is due; null: it is disabled. */
  dueAt: number | null
  /** A step kept failing, and is not repeated before; null: none. */
  retryAt: number | null
  /** Signals of which the row knows nothing, by name. */
  unconfirmed?: string[]
}

/** The reconciler wakes a run that has not observed its row for this long (docs/design/rows-and-runs.md). */
const stepLimitMs = 60_000

/** The activities of a schedule. They pass ids; everything else is read from the rows. */
export function scheduleActivities(services: Services) {
  return {
    /** `told`: the signals since its run last read it. */
    readSchedule: (scheduleId: string, told: readonly RunSignal<'schedule'>[] = []) =>
      readSchedule(services, scheduleId, told),
    makeOccurrence: (scheduleId: string) => makeOccurrence(services, scheduleId),
    /** Applies an operator's request from the Temporal UI to a schedule. */
    applyScheduleRequest: (scheduleId: string, requested: OperatorMove) =>
      requestOfSchedule(services, scheduleId, requested),
  }
}

/**
 * Reads a schedule by Postgres' clock, and records the version that was read and when its run looks again. If the schedule
 * has changed in between, it is read again. Null: there is no such schedule.
 */
async function readSchedule(
  { db }: Pick<Services, 'db'>,
  scheduleId: string,
  told: readonly RunSignal<'schedule'>[],
): Promise<ScheduleReading | null> {
  for (;;) {
    const observation = await observeSchedule(db, scheduleId)
    if (!observation) return null
    const { view, now, closed, dueAt, isNew } = observation
    const retryAt =
      dueAt !== null && observation.retryAt !== null && observation.retryAt > now ? observation.retryAt : null
    const wakeup = nextWakeup({ now, closed, dueAt, retryAt })
    const stepParked = retryAt !== null && !closed
    if (!(await recordObservedSchedule(db, scheduleId, view.version, wakeup, { stepParked }))) continue
    if (closed && isNew) countRunEnd('schedule', view.state)
    const isDeleted = view.state === 'deleted'
    const unconfirmed = told.map(({ name }) => name).filter((name) => name === 'deleted' && !isDeleted)
    return { ...view, now, closed, dueAt, retryAt, ...(unconfirmed.length > 0 && { unconfirmed }) }
  }
}

/** When the reconciler has to wake a run that does not act by itself. */
function nextWakeup({
  now,
  closed,
  dueAt,
  retryAt,
}: Pick<ScheduleReading, 'now' | 'closed' | 'dueAt' | 'retryAt'>): NextWakeup {
  if (closed || dueAt === null) return null
  const at = retryAt ?? dueAt
  return at > now ? { at: new Date(at).toISOString() } : { inMs: stepLimitMs }
}
