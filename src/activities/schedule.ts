import type { NextWakeup } from '../db/queries/run/observed-version.ts'
import {
  observeSchedule,
  recordObservedSchedule,
  type ScheduleView,
} from '../db/queries/schedule/observe-schedule.ts'
import type { OperatorMove } from '../domain/run/signals.ts'
import { decideScheduleStep, type ScheduleStep } from '../domain/schedule/next-step.ts'
import { countRunEnd } from '../metrics/runs.ts'
import type { Services } from '../services/context.ts'
import { makeOccurrence } from '../services/schedules/make-occurrence.ts'
import { requestOfSchedule } from '../services/schedules/request.ts'

/** The next step of a schedule and what the Temporal UI shows of it: ids, enum values and times. No view: no schedule. */
export type ObservedScheduleStep = (ScheduleStep & { view: ScheduleView }) | { do: 'end'; view: null }

/** The reconciler wakes a run that has not observed its row for this long (docs/design/rows-and-runs.md). */
const stepLimitMs = 60_000

/** The activities of a schedule. They pass ids; everything else is read from the rows. */
export function scheduleActivities(services: Services) {
  return {
    nextOccurrence: (scheduleId: string) => nextOccurrence(services, scheduleId),
    makeOccurrence: (scheduleId: string) => makeOccurrence(services, scheduleId),
    /** Applies an operator's request from the Temporal UI to a schedule. */
    applyScheduleRequest: (scheduleId: string, requested: OperatorMove) =>
      requestOfSchedule(services, scheduleId, requested),
  }
}

/**
 * Reads a schedule by Postgres' clock, decides what its run does next and records the version it observed. If the
 * schedule has changed in between, it is read again.
 */
async function nextOccurrence(
  { db }: Pick<Services, 'db'>,
  scheduleId: string,
): Promise<ObservedScheduleStep> {
  for (;;) {
    const seen = await observeSchedule(db, scheduleId)
    if (!seen) return { do: 'end', view: null }
    const { view } = seen
    const next = decideScheduleStep(seen.facts, seen.now)
    const stepParked = next.do === 'wait' && next.for === 'retry'
    if (!(await recordObservedSchedule(db, scheduleId, view.version, nextWakeup(next), { stepParked })))
      continue
    if (next.do === 'end' && seen.isNew) countRunEnd('schedule', view.state)
    return { ...next, view }
  }
}

/** When the reconciler has to wake a run that does not act by itself. */
function nextWakeup(next: ScheduleStep): NextWakeup {
  if (next.do === 'end') return null
  if (next.do !== 'wait') return { inMs: stepLimitMs }
  return next.until === null ? null : { at: next.until }
}
