import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchInstallation } from './installation.ts'
import { progress } from './progress.ts'

const lookEveryMs = 500
const timeoutMs = 10 * 60_000

/** Runs of a type that were started since a moment. */
export type Batch = { type: string; since: Date; runs: number; what: string }

/** Waits until all runs of a batch have completed. */
export async function untilEnded(installation: BenchInstallation, batch: Batch): Promise<void> {
  const { runs, what } = batch
  const bar = progress(what, runs)
  const deadline = Date.now() + timeoutMs
  for (let done = 0; done < runs; ) {
    if (Date.now() > deadline) throw new Error(`${what}: ${done} of ${runs} runs completed within 10 min.`)
    await sleep(lookEveryMs)
    done = (await installation.client.workflow.count(queryOf(batch))).count
    bar.to(done)
  }
  bar.end()
}

/** When the first and the last of them completed, in ms by Temporal's clock. */
export async function endsOf(
  { client }: BenchInstallation,
  batch: Batch,
): Promise<{ first: number; last: number }> {
  const ends: number[] = []
  for await (const { closeTime } of client.workflow.list({ query: queryOf(batch) }))
    ends.push(closeTime!.getTime())
  return { first: Math.min(...ends), last: Math.max(...ends) }
}

function queryOf({ type, since }: Batch): string {
  return `WorkflowType = '${type}' and ExecutionStatus = 'Completed' and StartTime >= '${since.toISOString()}'`
}
