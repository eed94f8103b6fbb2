import { continueAsNew } from '@temporalio/workflow'
import type { ObservedScheduleStep } from '../activities/schedule.ts'
import type { ScheduleState } from '../contract/enums.ts'
import { applyScheduleRequest, scheduleActivities } from './activities.ts'
import type { OperatorRequests } from './operator.ts'
import { scheduleDetailsOf, scheduleReadingOf, scheduleSummaryOf, showScheduleInUi } from './schedule-view.ts'
import { watchRow } from './watch-row.ts'

/** What operators may request of a schedule. Request Cancellation disables it. */
const ofSchedules: OperatorRequests = {
  apply: applyScheduleRequest,
  meanings: { retryParked: 'Try now the step that keeps failing.' },
}

/**
 * Waits for the occurrences of a schedule and makes each: `nextOccurrence` reads its row, and `makeOccurrence` makes
 * what is due, once, and moves the row to what is due next. Returns the state in which the schedule ended.
 */
export function scheduleRun(scheduleId: string): Promise<ScheduleState | null> {
  return watchRow<'schedule', ObservedScheduleStep>({
    id: scheduleId,
    kind: 'schedule',
    operators: ofSchedules,
    idleMs: 1_000,
    observe: (last, _told, newest) =>
      scheduleActivities(scheduleReadingOf(last, newest)).nextOccurrence(scheduleId),
    unconfirmed: ({ view }, told) =>
      view?.state === 'deleted' ? [] : told.map(({ name }) => name).filter((name) => name === 'deleted'),
    detailsOf: scheduleDetailsOf,
    showInUi: showScheduleInUi,
    summaryOf: scheduleSummaryOf,
    mustChange: (step) => step.do === 'makeOccurrence',
    async take(_step, summary) {
      await scheduleActivities(summary).makeOccurrence(scheduleId)
      return undefined
    },
    continueAsNew: () => continueAsNew<typeof scheduleRun>(scheduleId),
  })
}
