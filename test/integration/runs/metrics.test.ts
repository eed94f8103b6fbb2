import { expect, it } from 'vitest'
import { readMessage } from '../../../src/activities/read-message.ts'
import { scheduleActivities } from '../../../src/activities/schedule.ts'
import { insertMessageRows } from '../../fixtures/message-rows.ts'
import { addedSince, valuesOf } from '../../fixtures/metrics.ts'
import { openWorkingRuns } from '../../fixtures/open-runs.ts'
import { insertScenarioRun } from '../../fixtures/scenario-rows.ts'
import { insertSchedule } from '../../fixtures/schedule-rows.ts'
import { servicesOn } from '../../fixtures/services.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const runs = forFile(openWorkingRuns)

it('each run is counted as it ends, by its kind and the state of its row', async () => {
  const before = await valuesOf('carillon_runs_ended_total')
  const closed_at = new Date()
  const message = await insertMessageRows(runs.db, { state: 'submitted', expireIn: 1 })
  const cancelled = { state: 'cancelled', reason: 'cancelled', closed_at } as const
  const scenario = await insertScenarioRun(runs.db, { columns: cancelled })
  const deleted = { state: 'deleted', closed_at, next_at: null } as const
  const schedule = await insertSchedule(runs.db, { columns: deleted })
  runs.wake('message', message, [{ name: 'submitted' }])
  runs.wake('scenario', scenario, [{ name: 'cancelled' }])
  runs.wake('schedule', schedule, [{ name: 'deleted' }])
  await eventually(async () =>
    expect(await addedSince(before, 'carillon_runs_ended_total')).toEqual({
      'message expired': 1,
      'scenario cancelled': 1,
      'schedule deleted': 1,
    }),
  )
})

it('a run whose last step a worker repeats is counted once', async () => {
  const closed_at = new Date()
  const message = await insertMessageRows(runs.db, { state: 'cancelled' })
  await runs.db.updateTable('message').set({ closed_at }).where('id', '=', message).execute()
  const schedule = await insertSchedule(runs.db, { columns: { state: 'deleted', closed_at, next_at: null } })
  const { readSchedule } = scheduleActivities(servicesOn(runs.db))
  const before = await valuesOf('carillon_runs_ended_total')
  for (let tries = 0; tries < 2; tries++) {
    expect(await readMessage({ db: runs.db, quotaTimeZone: 'Asia/Taipei' }, message)).toMatchObject({
      closed: true,
    })
    expect(await readSchedule(schedule)).toMatchObject({ closed: true })
  }
  expect(await addedSince(before, 'carillon_runs_ended_total')).toEqual({
    'message cancelled': 1,
    'schedule deleted': 1,
  })
})
