import type { Client } from '@temporalio/client'

export const bareType = 'bare'
export const bareQueue = 'bench-floor'

/** Starts a run of the bare workflow (b5/floor-workflow.ts) with its signal; resolves when Temporal has stored both. */
export async function startBare(client: Client, id: string): Promise<void> {
  const options = { workflowId: `bare/${id}`, taskQueue: bareQueue, signal: 'called', signalArgs: [] }
  await client.workflow.signalWithStart(bareType, options)
}
