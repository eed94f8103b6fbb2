import { CancellationScope, continueAsNew, defineSignal, setHandler } from '@temporalio/workflow'
import type { ObservedScheduleStep } from '../activities/schedule.ts'
import type { ScheduleState } from '../contract/enums.ts'
import { changedSignal, type WakeReason } from '../domain/signals.ts'
import { applyScheduleRequest, scheduleActivities } from './activities.ts'
import { isLong } from './history.ts'
import { handleOperatorSignals, type OperatorRequests, untilCancelled } from './operator.ts'
import { scheduleReadingOf, scheduleSummaryOf, showScheduleInUi } from './schedule-view.ts'
import { waitFor } from './wait.ts'

/** What operators may request of a schedule. Request Cancellation disables it. */
const ofSchedules: OperatorRequests = {
  apply: applyScheduleRequest,
  meanings: { retryParked: 'Try now the step that keeps failing.' },
}

/** The pause before a step that changed nothing is repeated (ms). */
const idleMs = 1_000

/**
 * Waits for the occurrences of a schedule and makes each. The row is the source of truth: `nextOccurrence` reads it by
 * Postgres' clock; `makeOccurrence` makes what is due, once, and moves the row to what is due next. Signals only make the
 * run read its row. Returns the state in which the schedule ended.
 */
export async function scheduleRun(scheduleId: string): Promise<ScheduleState | null> {
  let rowChanged = true
  const isChanged = () => rowChanged
  let signal: string | null = null
  const onChange = (name: string) => {
    rowChanged = true
    signal = name
  }
  setHandler(defineSignal<[WakeReason]>(changedSignal), onChange, {
    description: 'The schedule changed; the argument says how.',
  })
  const applySignals = handleOperatorSignals(scheduleId, onChange, ofSchedules)
  /** Clears the flag first: a signal that arrives while the row is read makes the run read it again. */
  const observe = (last: ObservedScheduleStep | null) => {
    const summary = scheduleReadingOf(last, signal)
    rowChanged = false
    signal = null
    return scheduleActivities(summary).nextOccurrence(scheduleId)
  }

  const steps = async () => {
    let last: ObservedScheduleStep | null = null
    for (let lastStep: string | null = null; ; ) {
      await applySignals()
      if (isLong() && !CancellationScope.current().consideredCancelled)
        await continueAsNew<typeof scheduleRun>(scheduleId)
      const next: ObservedScheduleStep = await observe(last)
      last = next
      showScheduleInUi(next)
      const step = next.do === 'makeOccurrence' ? `${next.view.version}` : null
      if (step !== null && step === lastStep) {
        await waitFor(isChanged, idleMs, 'last step changed nothing; retrying')
        lastStep = null
        continue
      }
      lastStep = step

      switch (next.do) {
        case 'wait':
          await waitFor(isChanged, next.ms, scheduleSummaryOf(next))
          break
        case 'makeOccurrence':
          await scheduleActivities(scheduleSummaryOf(next)).makeOccurrence(scheduleId)
          break
        case 'end':
          await applySignals()
          return next.view?.state ?? null
      }
    }
  }
  return untilCancelled(scheduleId, steps, ofSchedules)
}
