import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { bareQueue } from '../bare-run.ts'

/** The worker of the bare workflow: a separate process with the settings of Carillon's worker. */
const activities = { local: async () => {}, remote: async () => {} }
export type FloorActivities = typeof activities

Runtime.install({ shutdownSignals: ['SIGTERM', 'SIGINT'] })
const workflowsPath = fileURLToPath(new URL('floor-workflow.ts', import.meta.url))
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS! }),
  taskQueue: bareQueue,
  workflowBundle: await bundleWorkflowCode({ workflowsPath }),
  activities,
  reuseV8Context: true,
  maxConcurrentWorkflowTaskExecutions: 40,
  maxConcurrentLocalActivityExecutions: 40,
  maxConcurrentActivityTaskExecutions: 20,
})
await worker.run()
process.exit(0)
