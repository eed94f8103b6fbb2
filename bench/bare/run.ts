import type { Client } from '@temporalio/client'

export const bareType = 'bare'
export const bareQueue = 'bench-floor'

/** Starts a run of the bare workflow with its signal; resolves when Temporal has stored both. */
export async function startBare(client: Client, id: string): Promise<void> {
  const options = { workflowId: `bare/${id}`, taskQueue: bareQueue, signal: 'called', signalArgs: [] }
  await client.workflow.signalWithStart(bareType, options)
}

/** Starts a run that waits for its signal, and then pushes a text to this address. */
export async function startBareTurn(client: Client, id: string, address: string): Promise<void> {
  await client.workflow.start('bareTurn', {
    ...{ workflowId: `bare/${id}`, taskQueue: bareQueue },
    args: [address],
  })
}
