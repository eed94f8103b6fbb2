import { execFile } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Client, WorkflowExecutionInfo } from '@temporalio/client'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { postgresUrl } from '../../dev/postgres.ts'
import { connect } from '../../src/db/connect.ts'
import { setDefaultLimit } from '../../src/db/queries/quota/ledger.ts'
import { allRunKinds, workflowIdOf } from '../../src/domain/run/run-kinds.ts'
import { startRuns } from '../fixtures/runs.ts'
import setup from '../harness/global-setup.ts'
import { paths } from './paths.ts'

// `node test/histories/record.ts` records the paths that have no history yet. It leaves all others: Temporal stores
// hold runs like them, so a replay that fails is a defect of the change. To record a new one again before it lands,
// delete it first.

const folder = join(import.meta.dirname, 'recorded')
const provided = {} as ProvidedContext
const provide = (key: string, value: unknown) => Object.assign(provided, { [key]: value })
const stop = await setup({ provide } as unknown as TestProject)
const db = connect(postgresUrl(provided.postgres, provided.templateDatabase))
const runs = await startRuns({ db, address: provided.temporalAddress, namespace: 'default' })
try {
  await setDefaultLimit(db, { scope: 'pool', channel: 'chat', limit: 100_000 })
  await runs.startWorker()
  for (const kind of allRunKinds)
    for (const [name, path] of Object.entries(paths[kind]))
      if (!existsSync(join(folder, `${name}.json`))) await record(name, workflowIdOf(kind, await path(runs)))
} finally {
  await runs.close()
  await db.destroy()
  await stop()
}
process.stdout.write(`${readdirSync(folder).length} histories are recorded\n`)

/** Writes every run of a workflow id: the first to `<path>.json`, runs continued as new to `<path>.2.json` and so on. */
async function record(name: string, workflowId: string): Promise<void> {
  const recorded = await runsOf(runs.temporal.client, workflowId)
  for (const [index, { runId }] of recorded.entries()) {
    const file = `${name}${index === 0 ? '' : `.${index + 1}`}.json`
    writeFileSync(join(folder, file), await historyOf(workflowId, runId))
  }
}

async function runsOf(client: Client, workflowId: string): Promise<WorkflowExecutionInfo[]> {
  const runs: WorkflowExecutionInfo[] = []
  for await (const run of client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) runs.push(run)
  return runs.sort((a, b) => a.startTime.getTime() - b.startTime.getTime())
}

/** The history in the Temporal UI's download format. */
async function historyOf(workflowId: string, runId: string): Promise<string> {
  const run = ['--workflow-id', workflowId, '--run-id', runId, '--address', provided.temporalAddress]
  const show = ['workflow', 'show', ...run, '--output', 'json']
  const { stdout } = await promisify(execFile)(provided.temporalBinary, show, { maxBuffer: 64 * 1024 * 1024 })
  return `${JSON.stringify(JSON.parse(stdout))}\n`
}
