import type { ScheduleReading } from '../activities/schedule.ts'
import type { ScheduleState } from '../contract/enums.ts'
import { applyScheduleRequest, occurrenceActivities, readActivities } from './activities.ts'
import { openRun, type Run } from './run.ts'
import { scheduleView } from './schedule-view.ts'

/** The life of a schedule: it waits for each of its times, and makes what is due. Returns the state in which it ended. */
export async function scheduleRun(id: string): Promise<ScheduleState | null> {
  const run = openSchedule(id)
  return run.carryOut(async () => {
    let schedule = await run.read()
    while (schedule && !schedule.closed) {
      await takeFurther(run, schedule)
      schedule = await run.read()
    }
    return schedule?.state ?? null
  })
}

async function takeFurther(run: ScheduleRun, { dueAt, retryAt, now }: ScheduleReading): Promise<void> {
  if (dueAt === null) return run.wait('an editor to enable it', null)
  if (retryAt !== null) return run.wait('the next retry of a step that keeps failing', retryAt)
  if (dueAt > now) return run.wait('its next time', dueAt)
  await run.steps(`making what was due at ${new Date(dueAt).toISOString()}`).makeOccurrence(run.id)
}

type ScheduleRun = Run<ScheduleReading> & {
  steps(what: string): ReturnType<typeof occurrenceActivities>
}

/** Opens the run of a schedule. Request Cancellation disables it. */
function openSchedule(id: string): ScheduleRun {
  const run = openRun<'schedule', ScheduleReading>({
    kind: 'schedule',
    id,
    idleMs: 1_000,
    read: (why, told) => readActivities(why).readSchedule(id, told),
    view: scheduleView,
    requests: { retryParked: 'Try now the step that keeps failing.' },
    apply: (requested) => applyScheduleRequest(id, requested),
  })
  return { ...run, steps: (what) => occurrenceActivities(run.announce(what)) }
}
