import { sql } from 'kysely'
import { closeDeleted, updateSchedule } from '../../src/db/queries/schedule/schedule.ts'
import { workflowIdOf } from '../../src/domain/run/run-kinds.ts'
import type { RunsFixture } from '../fixtures/runs.ts'
import {
  insertSchedule,
  makeDueAt,
  type SchedulePlan,
  scheduledText,
  scheduleRow,
  waitForOccurrences,
  waitForSchedule,
  waitForScheduleEnd,
} from '../fixtures/schedule-rows.ts'

/** What stands in schedules and must not stand in Temporal. */
export const writtenInSchedules = [scheduledText]

/** Every path the run of a schedule can take. */
export const schedulePaths: Record<string, (runs: RunsFixture) => Promise<string>> = {
  async 'schedule-once'(runs) {
    const at = new Date(Date.now() + 1_000)
    const id = await begin(runs, { columns: { ...once, at, next_at: at } })
    return waitForScheduleEnd(runs, id, 'finished')
  },

  async 'schedule-recurring'(runs) {
    const id = await begin(runs, { dueIn: -60_000 })
    await waitForOccurrences(runs, id, 1)
    await makeDueAt(runs.db, id, new Date())
    runs.wake('schedule', id, [{ name: 'edited' }])
    await waitForOccurrences(runs, id, 2)
    return deleted(runs, id)
  },

  /** Down for two days: every occurrence is recorded, the last one made up or not. */
  async 'schedule-missed'(runs) {
    const id = await begin(runs, { dueIn: -2 * 86_400_000 })
    await waitForOccurrences(runs, id, 2)
    return deleted(runs, id)
  },

  async 'schedule-failed'(runs) {
    const at = new Date()
    const id = await begin(runs, { message: { topicId: 'none' }, columns: { ...once, at, next_at: at } })
    return waitForScheduleEnd(runs, id, 'finished')
  },

  /** Three failures in a row disable it; enabled, it waits for its time. */
  async 'schedule-switched-off'(runs) {
    const id = await begin(runs, { message: { topicId: 'none' } })
    await waitForSchedule(runs, id, 'active')
    for (let count = 1; count <= 3; count += 1) {
      await makeDueAt(runs.db, id, new Date(Date.now() - count * 60_000))
      runs.wake('schedule', id, [{ name: 'edited' }])
      await waitForOccurrences(runs, id, count)
    }
    await waitForSchedule(runs, id, 'disabled')
    await set(runs, id, { state: 'active', disabled_reason: null, next_at: new Date(Date.now() + 3_600_000) })
    await waitForSchedule(runs, id, 'active')
    return deleted(runs, id)
  },

  async 'schedule-deleted'(runs) {
    const id = await begin(runs)
    await waitForSchedule(runs, id, 'active')
    return deleted(runs, id)
  },

  /** Closes as Canceled, and the row is disabled. */
  async 'schedule-operator-cancel'(runs) {
    const id = await begin(runs)
    await waitForSchedule(runs, id, 'active')
    await runs.temporal.client.workflow.getHandle(workflowIdOf('schedule', id)).cancel()
    return waitForScheduleEnd(runs, id, 'disabled')
  },

  /** A step that kept failing waits, until an operator has it tried. */
  async 'schedule-parked-then-made'(runs) {
    const parked = { step_parked_at: new Date(), problem: 'internal' } as const
    const id = await begin(runs, { dueIn: 0, columns: parked })
    await waitForSchedule(runs, id, 'active')
    await runs.temporal.client.workflow.getHandle(workflowIdOf('schedule', id)).signal('retryParked')
    await waitForOccurrences(runs, id, 1)
    return deleted(runs, id)
  },

  /** A history that is long enough continues as new. */
  async 'schedule-continued-as-new'(runs) {
    const id = await begin(runs)
    await waitForSchedule(runs, id, 'active')
    const run = runs.temporal.client.workflow.getHandle(workflowIdOf('schedule', id))
    for (let round = 0; round < 20; round += 1)
      await Promise.all(Array.from({ length: 40 }, () => run.signal('overdue')))
    return deleted(runs, id)
  },
}

const once = { type: 'once', cron: null, time_zone: null } as const

async function begin(runs: RunsFixture, planned: SchedulePlan = {}): Promise<string> {
  const id = await insertSchedule(runs.db, planned)
  runs.wake('schedule', id, [{ name: 'started' }])
  return id
}

async function set(
  runs: RunsFixture,
  id: string,
  columns: Parameters<typeof updateSchedule>[2],
): Promise<void> {
  await runs.db.transaction().execute((trx) => updateSchedule(trx, id, { ...columns, plan: sql`plan + 1` }))
  runs.wake('schedule', id, [{ name: 'edited' }])
}

async function deleted(runs: RunsFixture, id: string): Promise<string> {
  const row = await scheduleRow(runs.db, id)
  await runs.db.transaction().execute((trx) => closeDeleted(trx, row))
  runs.wake('schedule', id, [{ name: 'deleted' }])
  return waitForScheduleEnd(runs, id, 'deleted')
}
