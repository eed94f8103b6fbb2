import { join } from 'node:path'
import { Worker } from '@temporalio/worker'
import { expect, it } from 'vitest'
import { startTimeSkipping } from '../../../dev/time-skipping.ts'
import { month } from './month.ts'

it('lets a month pass at once, from the first run on', async () => {
  const environment = await startTimeSkipping()
  const workflowsPath = join(import.meta.dirname, 'month.ts')
  const connection = environment.nativeConnection
  const worker = await Worker.create({ connection, workflowsPath, taskQueue: 'months' })
  const before = await environment.currentTimeMs()
  const run = { taskQueue: 'months', workflowId: 'month' }
  await worker.runUntil(environment.client.workflow.execute(month, run))
  const days = ((await environment.currentTimeMs()) - before) / 86_400_000
  expect(days).toBeCloseTo(30, 1)
  await environment.teardown()
})
