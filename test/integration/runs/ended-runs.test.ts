import { expect, it } from 'vitest'
import { workflowIdOf } from '../../../src/domain/run/run-kinds.ts'
import { restartEndedRuns } from '../../../src/temporal/reconciler.ts'
import { makeMove, messageRow } from '../../fixtures/message-rows.ts'
import { openWorkingRuns } from '../../fixtures/open-runs.ts'
import { insertWaiting } from '../../fixtures/run-waits.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const runs = forFile(openWorkingRuns)

const runOf = (id: string) => runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))

it('runs that were terminated while they waited are restarted soon, each once', async () => {
  const ids = [await insertWaiting(runs), await insertWaiting(runs)]
  const before = await Promise.all(ids.map(async (id) => (await runOf(id).describe()).runId))
  await Promise.all(ids.map((id) => runOf(id).terminate('by hand')))
  const round = restartEndedRuns(runs.parts)
  await eventually(async () => {
    await round()
    const now = await Promise.all(ids.map((id) => runOf(id).describe()))
    expect(now.map(({ status }) => status.name)).toEqual(['RUNNING', 'RUNNING'])
    for (const { runId } of now) expect(before).not.toContain(runId)
  })
  await eventually(async () => {
    for (const id of ids)
      expect((await messageRow(runs.db, id)).next_wakeup_at!.getTime()).toBeGreaterThan(Date.now())
  })
  await round()
  for (const id of ids)
    expect((await messageRow(runs.db, id)).next_wakeup_at!.getTime()).toBeGreaterThan(Date.now())
})

it('a run whose cancellation could change nothing is restarted', async () => {
  const id = await insertWaiting(runs)
  await makeMove(runs.db, id, 'pause')
  await runs.db.updateTable('wave').set({ claimed: true }).where('message_id', '=', id).execute()
  runs.wake('message', id, [{ name: 'paused' }])
  await eventually(async () => expect((await messageRow(runs.db, id)).observed_version).toBe(2))
  const { runId } = await runOf(id).describe()
  await runOf(id).cancel()
  const first = runs.temporal.client.workflow.getHandle(workflowIdOf('message', id), runId)
  await eventually(async () => expect((await first.describe()).status.name).toBe('CANCELLED'))
  const round = restartEndedRuns(runs.parts)
  await eventually(async () => {
    await round()
    const next = await runOf(id).describe()
    expect([next.runId === runId, next.status.name]).toEqual([false, 'RUNNING'])
  })
  expect(await messageRow(runs.db, id)).toMatchObject({ state: 'paused', version: 2 })
})

it('a closed message’s run stays ended', async () => {
  const id = await insertWaiting(runs)
  await runOf(id).terminate('by hand')
  await makeMove(runs.db, id, 'cancel')
  await runs.db
    .updateTable('message')
    .set(({ ref }) => ({ closed_at: new Date(), next_wakeup_at: null, observed_version: ref('version') }))
    .where('id', '=', id)
    .execute()
  const other = await insertWaiting(runs)
  await runOf(other).terminate('by hand')
  const round = restartEndedRuns(runs.parts)
  await eventually(async () => {
    await round()
    expect((await runOf(other).describe()).status.name).toBe('RUNNING')
  })
  expect((await runOf(id).describe()).status.name).toBe('TERMINATED')
})
