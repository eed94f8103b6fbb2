import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { bareQueue } from './run.ts'

const { TEMPORAL_ADDRESS: address, CHAT_BASE_URL: provider, CHAT_CHANNEL_TOKEN: token } = process.env

/** The worker of the bare workflows: a separate process with the settings of Carillon's worker. */
const activities = {
  local: async () => {},
  remote: async () => {},
  /** Sends one person a short text; resolves when the provider has accepted it. */
  async push(to: string): Promise<void> {
    const answer = await fetch(`${provider}/v2/bot/message/push`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'x-line-retry-key': randomUUID() },
      body: JSON.stringify({ to, messages: [{ type: 'text', text: 'Thank you.' }] }),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`The provider answered ${answer.status}.`)
  },
}
export type BareActivities = typeof activities

Runtime.install({ shutdownSignals: ['SIGTERM', 'SIGINT'] })
const workflowsPath = fileURLToPath(new URL('workflows.ts', import.meta.url))
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: address! }),
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
