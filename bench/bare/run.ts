import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'

export const bareType = 'bare'
export const bareQueue = 'bench-floor'

/** Starts a run of the bare workflow with its signal; resolves when Temporal has stored both. */
export async function startBare(client: Client, id: string): Promise<void> {
  await signalWithStart(client, bareType, id, [])
}

/** Starts a run that waits for its signal, and then pushes a text to this address. */
export async function startBareTurn(client: Client, id: string, address: string): Promise<void> {
  await client.workflow.start('bareTurn', {
    ...{ workflowId: `bare/${id}`, taskQueue: bareQueue },
    args: [address],
  })
}

const lookEveryMs = 50
/** Events of a history whose run waits: started, and one workflow task scheduled, started and completed. */
const eventsOfWaiting = 4

/** Resolves when a run of `startBareTurn` waits for its signal. */
export async function untilBareWaits(client: Client, id: string): Promise<void> {
  const handle = client.workflow.getHandle(`bare/${id}`)
  while ((await handle.describe()).historyLength < eventsOfWaiting) await sleep(lookEveryMs)
}

/** Where the runs of `bareReturn` note that they are back. */
export const returnTable = 'create table bench_run (id text primary key, back boolean not null)'
export const noteReturn = 'update bench_run set back = true where id = $1'

/** Starts a run that comes back and waits, with its signal; resolves when Temporal has stored both. */
export async function startBareReturn(client: Client, id: string): Promise<void> {
  await signalWithStart(client, 'bareReturn', id, [id])
}

async function signalWithStart(client: Client, type: string, id: string, args: string[]): Promise<void> {
  await client.workflow.signalWithStart(type, {
    ...{ workflowId: `bare/${id}`, taskQueue: bareQueue, args },
    ...{ signal: 'called', signalArgs: [] },
  })
}
