import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { readRunHealth } from '../../../src/db/queries/run/reconcile.ts'
import { workflowIdOf } from '../../../src/domain/run/run-kinds.ts'
import { restartEndedRuns } from '../../../src/temporal/reconciler.ts'
import { insertMessageRows, messageRow } from '../../fixtures/message-rows.ts'
import { openWorkingRuns } from '../../fixtures/open-runs.ts'
import { insertWaiting } from '../../fixtures/run-waits.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { refuseWrites } from '../../harness/write-refusal.ts'

const runs = forFile(openWorkingRuns)

const handleOf = (id: string) => runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))

it('a run that Temporal rejects is woken again, and delays no other wake', async () => {
  const refused = await insertMessageRows(runs.db, { sendIn: 3_600_000 })
  const category = await runs.db.selectFrom('category').selectAll().executeTakeFirstOrThrow()
  const { name, channel_plan: plan, layer } = category
  // Longer than Temporal accepts for a search attribute.
  const id = 'x'.repeat(3_000)
  const values = { id, layer, name: JSON.stringify(name), channel_plan: JSON.stringify(plan) }
  await runs.db.insertInto('category').values(values).execute()
  await runs.db.updateTable('message').set({ category_id: id }).where('id', '=', refused).execute()

  const ids = await Promise.all(Array.from({ length: 20 }, () => insertMessageRows(runs.db)))
  for (const one of ids) {
    runs.wake('message', refused, [{ name: 'overdue' }])
    runs.wake('message', one, [{ name: 'approved' }])
  }
  for (const one of ids)
    await eventually(async () => expect((await messageRow(runs.db, one)).state).toBe('sent'))
  await eventually(async () => {
    const { observed_version, wake_count } = await messageRow(runs.db, refused)
    expect(observed_version).toBe(0)
    expect(wake_count).toBeGreaterThan(1)
  })
  expect(runs.logged.filter((line) => line.includes('Temporal is unavailable'))).toEqual([])
  await runs.db
    .updateTable('message')
    .set({ changed_at: new Date(Date.now() - 120_000), wake_count: 6, woken_at: new Date(0) })
    .where('id', '=', refused)
    .execute()
  expect(await readRunHealth(runs.db)).toMatchObject({ message: { overdue: 1 } })
  await eventually(() =>
    expect(runs.logged.join('')).toContain('A run cannot be woken; the reconciler retries it'),
  )
  for (const table of ['wave', 'message_content'] as const)
    await runs.db.deleteFrom(table).where('message_id', '=', refused).execute()
  await runs.db.deleteFrom('message').where('id', '=', refused).execute()
})

it('of runs that were terminated, one whose row cannot be written prevents no other restart', async () => {
  const ids = [await insertWaiting(runs), await insertWaiting(runs), await insertWaiting(runs)]
  const [stuck, ...others] = ids
  const end = await refuseWrites(runs.db, { event: 'update', table: 'message', row: `new.id = '${stuck}'` })
  await Promise.all(ids.map((id) => handleOf(id).terminate('by hand')))
  const round = restartEndedRuns(runs.parts)
  await eventually(async () => {
    await round()
    const runs = await Promise.all(others.map((id) => handleOf(id).describe()))
    expect(runs.map(({ status }) => status.name)).toEqual(['RUNNING', 'RUNNING'])
  })
  expect((await handleOf(stuck!).describe()).status.name).toBe('TERMINATED')
  const failed = runs.logged.filter((line) =>
    line.includes('A run that was ended in Temporal could not be restarted; a later round retries it'),
  )
  expect(new Set(failed.map((line) => JSON.parse(line).workflowId))).toEqual(
    new Set([workflowIdOf('message', stuck!)]),
  )
  await end()
  await eventually(async () => {
    await round()
    expect((await handleOf(stuck!).describe()).status.name).toBe('RUNNING')
  })
})

it('an unreadable entry in Temporal’s list prevents no restart', async () => {
  const { connection, namespace } = runs.temporal
  const odd = workflowIdOf('message', randomUUID())
  await connection.workflowService.startWorkflowExecution({
    namespace,
    workflowId: odd,
    requestId: randomUUID(),
    workflowType: { name: 'messageIntent' },
    taskQueue: { name: 'no-worker' },
    memo: {
      fields: { note: { metadata: { encoding: Buffer.from('somebody else’s') }, data: Buffer.of(0) } },
    },
  })
  await runs.temporal.client.workflow.getHandle(odd).terminate('by hand')
  const id = await insertWaiting(runs)
  await handleOf(id).terminate('by hand')
  const round = restartEndedRuns(runs.parts)
  await eventually(async () => {
    await round()
    expect((await handleOf(id).describe()).status.name).toBe('RUNNING')
  })
})
