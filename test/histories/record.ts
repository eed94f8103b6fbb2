import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Client, WorkflowExecutionInfo } from '@temporalio/client'
import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { postgresUrl } from '../../dev/postgres.ts'
import { connect } from '../../src/db/connect.ts'
import { workflowIdOf } from '../../src/domain/run-kinds.ts'
import { startRuns } from '../fixtures/runs.ts'
import setup from '../harness/global-setup.ts'
import { paths } from './paths.ts'

// `node test/histories/record.ts` records every path again, after a change of the workflow before any release: no run
// of the old code exists anywhere. After a release, a replay that fails is a defect of the change.

const folder = join(import.meta.dirname, 'recorded')
const provided = {} as ProvidedContext
const provide = (key: string, value: unknown) => Object.assign(provided, { [key]: value })
const stop = await setup({ provide } as unknown as TestProject)
const db = connect(postgresUrl(provided.postgres, provided.templateDatabase))
const runs = await startRuns({ db, address: provided.temporalAddress, namespace: 'default' })
try {
  await runs.startWorker()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [name, path] of Object.entries(paths)) await record(name, await path(runs))
} finally {
  await runs.close()
  await db.destroy()
  await stop()
}
process.stdout.write(`${readdirSync(folder).length} histories recorded\n`)

/** Writes every run of a workflow id: the first to `<path>.json`, runs continued as new to `<path>.2.json` and so on. */
async function record(name: string, id: string): Promise<void> {
  const workflowId = workflowIdOf('message', id)
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
