import type { Client } from '@temporalio/client'
import type { Spawned } from '../../../harness/spawn.ts'

/** Personal data that exists nowhere else: finding it outside of Postgres is a leak. */
export const canary = {
  name: 'Kanarienvogel Canary',
  text: 'canary-text-of-a-message',
  email: 'canary-person@example.edu',
  /** With which the tokens for replies begin. */
  token: 'canary-reply-token-',
  option: 'canary-option',
}

/** A canary, or any chat address. */
const leak = new RegExp(`${Object.values(canary).join('|')}|\\bU[0-9a-f]{32}\\b`)

/** Where a canary appears in Temporal's store, a process' log or its metrics: one line for each place. */
export async function findLeaks(
  client: Client,
  processes: Spawned[],
  metricsPorts: string[],
): Promise<string[]> {
  const found = processes.flatMap((spawned) => leakIn(`log of process ${spawned.pid}`, spawned.log()))
  for (const port of metricsPorts) {
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`)
    found.push(...leakIn(`metrics on port ${port}`, await metrics.text()))
  }
  for await (const run of client.workflow.list()) {
    const handle = client.workflow.getHandle(run.workflowId, run.runId)
    const [history, described] = await Promise.all([handle.fetchHistory(), handle.describe()])
    found.push(...leakIn(run.workflowId, `${textOf(history)} ${textOf(described.raw)} ${textOf(run.raw)}`))
  }
  return found
}

function leakIn(place: string, text: string): string[] {
  const hit = leak.exec(text)
  return hit ? [`${place}: …${text.slice(Math.max(0, hit.index - 80), hit.index + 80)}…`] : []
}

/** Every text in a tree, those inside payloads too. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([name, child]) => `${name} ${textOf(child)}`)
    .join(' ')
}
