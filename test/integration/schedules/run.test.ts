import { describe, expect, it } from 'vitest'
import { listParked } from '../../../src/db/queries/run/parked.ts'
import { countStepFailure } from '../../../src/db/queries/run/step-failure.ts'
import { workflowIdOf } from '../../../src/domain/run/run-kinds.ts'
import { openWorkingRuns } from '../../fixtures/open-runs.ts'
import { selectRow } from '../../fixtures/rows.ts'
import {
  insertSchedule,
  occurrencesOf,
  scheduleName,
  scheduleRow,
  waitForOccurrences,
  waitForSchedule,
  waitForScheduleEnd,
} from '../../fixtures/schedule-rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const runs = forFile(openWorkingRuns)

const runOf = (id: string) => runs.temporal.client.workflow.getHandle(workflowIdOf('schedule', id))

describe('the run of a schedule', () => {
  it('waits for its time, makes the message, which is sent, and goes on to the next', async () => {
    const id = await insertSchedule(runs.db, { dueIn: 1_000 })
    runs.wake('schedule', id, [{ name: 'started' }])
    await waitForOccurrences(runs, id, 1)
    const [occurrence] = await occurrencesOf(runs.db, id)
    expect(occurrence!.outcome).toBe('created')
    expect(occurrence!.at.getTime()).toBeGreaterThanOrEqual(occurrence!.due_at.getTime())
    const { state } = await selectRow(runs.db, 'message', { id: occurrence!.message_id! }, ['state'])
    expect(state).toBe('submitted') // without a template, a person approves it
    expect((await scheduleRow(runs.db, id)).next_at!.getTime()).toBeGreaterThan(Date.now())
  })

  it('shows in the Temporal UI when it is due next, and its id, not its name', async () => {
    const id = await insertSchedule(runs.db)
    runs.wake('schedule', id, [{ name: 'started' }])
    await waitForSchedule(runs, id, 'active')
    const { next_at, unit_id } = await scheduleRow(runs.db, id)
    const run = await runOf(id).describe()
    expect(run.searchAttributes).toMatchObject({
      ...{ CarillonUnit: [unit_id], CarillonCategory: ['registrar'], CarillonState: ['active'] },
      CarillonSendAt: [next_at],
    })
    expect(await run.staticSummary()).toContain(`schedule ${id}`)
    const texts = [await run.staticSummary(), await run.staticDetails()].join()
    expect(texts).not.toContain(scheduleName)
  })

  it('is disabled by an operator who cancels it', async () => {
    const id = await insertSchedule(runs.db)
    runs.wake('schedule', id, [{ name: 'started' }])
    await waitForSchedule(runs, id, 'active')
    await runOf(id).cancel()
    await waitForScheduleEnd(runs, id, 'disabled')
    expect(await scheduleRow(runs.db, id)).toMatchObject({ disabled_reason: 'by_caller', next_at: null })
  })

  it('that was never woken is found by the reconciler', async () => {
    const at = new Date(Date.now() - 2_000)
    const id = await insertSchedule(runs.db, {
      columns: { type: 'once', cron: null, time_zone: null, at, next_at: at, changed_at: at },
    })
    await waitForScheduleEnd(runs, id, 'finished')
    expect(await occurrencesOf(runs.db, id)).toHaveLength(1)
  })

  it('is parked when its step keeps failing, and listed for operators', async () => {
    const id = await insertSchedule(runs.db, { columns: { observed_version: 1 } })
    for (let failures = 0; failures < 20; failures += 1)
      await countStepFailure(runs.db, { kind: 'schedule', id })
    expect(await listParked(runs.db, { after: null, limit: 10 })).toMatchObject([
      { kind: 'schedule', id, problem: 'internal', state: 'active' },
    ])
    runs.wake('schedule', id, [{ name: 'edited' }])
    await eventually(async () => {
      const { next_wakeup_at } = await scheduleRow(runs.db, id)
      if (next_wakeup_at === null) throw new Error('not observed yet')
    })
    expect((await scheduleRow(runs.db, id)).problem).toBe('internal')
  })
})
