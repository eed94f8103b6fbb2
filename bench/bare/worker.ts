import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import pg from 'pg'
import { bareQueue, noteReturn } from './run.ts'

const { TEMPORAL_ADDRESS, DATABASE_URL, CHAT_BASE_URL, CHAT_CHANNEL_TOKEN } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL!, max: 20 })

/** The worker of the bare workflows: a separate process with the settings of Carillon's worker. */
const activities = {
  local: async () => {},
  remote: async () => {},
  /** Sends one person a short text; resolves when the provider has accepted it. */
  async push(to: string): Promise<void> {
    const answer = await fetch(`${CHAT_BASE_URL}/v2/bot/message/push`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CHAT_CHANNEL_TOKEN}`, 'x-line-retry-key': randomUUID() },
      body: JSON.stringify({ to, messages: [{ type: 'text', text: 'Thank you.' }] }),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`The provider answered ${answer.status}.`)
  },
  async noteReturn(id: string): Promise<void> {
    await pool.query({ name: 'note', text: noteReturn, values: [id] })
  },
}
export type BareActivities = typeof activities

Runtime.install({ shutdownSignals: ['SIGTERM', 'SIGINT'] })
const workflowsPath = fileURLToPath(new URL('workflows.ts', import.meta.url))
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: TEMPORAL_ADDRESS! }),
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
