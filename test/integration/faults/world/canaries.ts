import type { Client } from '@temporalio/client'
import { storedTexts } from '../../../fixtures/temporal-texts.ts'
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
  const leaks = processes.flatMap((spawned) => leakIn(`log of process ${spawned.pid}`, spawned.log()))
  for (const port of metricsPorts) {
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`)
    leaks.push(...leakIn(`metrics on port ${port}`, await metrics.text()))
  }
  for (const [workflowId, text] of await storedTexts(client)) leaks.push(...leakIn(workflowId, text))
  return leaks
}

function leakIn(place: string, text: string): string[] {
  const hit = leak.exec(text)
  return hit ? [`${place}: …${text.slice(Math.max(0, hit.index - 80), hit.index + 80)}…`] : []
}
