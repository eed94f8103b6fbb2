import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { progress } from '../progress.ts'

const lookEveryMs = 500
const patienceMs = 10 * 60_000

type Runs = { type: string; since: Date; runs: number; what: string }

/**
 * Waits until so many runs of a type have completed, and answers how many did in a second, from the first one's end to
 * the last one's: neither the start of their worker nor the reading of these times is in it.
 */
export async function drain(client: Client, { type, since, runs, what }: Runs): Promise<number> {
  const query = `WorkflowType = '${type}' and ExecutionStatus = 'Completed' and StartTime >= '${since.toISOString()}'`
  const shown = progress(what, runs)
  const deadline = Date.now() + patienceMs
  for (let done = 0; done < runs; ) {
    if (Date.now() > deadline) throw new Error(`${what}: ${done} of ${runs} are done`)
    await sleep(lookEveryMs)
    done = (await client.workflow.count(query)).count
    shown.to(done)
  }
  shown.end()
  const ends: number[] = []
  for await (const { closeTime } of client.workflow.list({ query })) ends.push(closeTime!.getTime())
  return (runs - 1) / ((Math.max(...ends) - Math.min(...ends)) / 1000)
}
