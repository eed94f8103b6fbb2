import { readFileSync } from 'node:fs'
import { Client, Connection } from '@temporalio/client'
import type { History } from '@temporalio/common/lib/proto-utils.js'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { bundleWorkflows } from '../../src/temporal/bundle.ts'
import { parseHistory } from './load.ts'

// `node test/histories/replay.ts <workflow id or file>` replays one history with the workflow code of this folder, and
// exits with 1 where they differ. A run is read at TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE; a file holds a download of
// the Temporal UI. A debugger stops in workflow code: the SDK replays on the main thread.

const [target] = process.argv.slice(2)
if (target === undefined) fail(2, 'Usage: node test/histories/replay.ts <workflow id, or file of a history>')

Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'OFF' } } })
try {
  const history = target.endsWith('.json')
    ? parseHistory(readFileSync(target, 'utf8'))
    : await fetchHistory(target)
  const { code } = await bundleWorkflows()
  await Worker.runReplayHistory({ workflowBundle: { code }, replayName: 'replay' }, history)
  process.stdout.write(`${target}: ${history.events?.length} events replay with this code\n`)
} catch (error) {
  fail(1, `${target}: ${error instanceof Error ? error.message : String(error)}`)
}

/** The history of the newest run of a workflow id. */
async function fetchHistory(workflowId: string): Promise<History> {
  const { TEMPORAL_ADDRESS: address = '127.0.0.1:7233', TEMPORAL_NAMESPACE: namespace = 'default' } =
    process.env
  const connection = await Connection.connect({ address })
  try {
    return await new Client({ connection, namespace }).workflow.getHandle(workflowId).fetchHistory()
  } finally {
    await connection.close()
  }
}

function fail(code: number, message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}
