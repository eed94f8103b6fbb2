import { once } from 'node:events'
import { connect } from 'node:net'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { freePort } from './ports.ts'
import { startChild, stopChild, waitUntilReady } from './process.ts'
import { type TimeSkippingServer, timeSkippingServer } from './time-skipping-server.ts'

const READY_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 5_000

/**
 * Starts a Temporal test server in which a timer of a month passes in milliseconds. It runs on Java and is fetched once
 * per machine with Maven; if either is missing, the SDK downloads its own server.
 */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const server = await timeSkippingServer()
  const environment = server ? await connectTo(server) : await TestWorkflowEnvironment.createTimeSkipping()
  await warmUp(environment)
  return environment
}

/**
 * Starts the server and passes it to the SDK once it listens: the SDK waits at most 5 s for a server that it starts,
 * and on a busy machine Java takes longer.
 */
async function connectTo({ start, standIn }: TimeSkippingServer): Promise<TestWorkflowEnvironment> {
  const port = await freePort()
  const logFile = `${start}.log`
  const java = await startChild({ name: 'time-skipping', command: start, args: [String(port)], logFile })
  await waitUntilReady(java, () => canConnect(port), READY_TIMEOUT_MS)
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { port, executable: { type: 'existing-path', path: standIn } },
  })
  const teardown = environment.teardown.bind(environment)
  environment.teardown = async () => {
    await teardown()
    await stopChild(java, 'SIGTERM', STOP_TIMEOUT_MS)
  }
  return environment
}

async function canConnect(port: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.destroy()
}

/** Runs a first workflow, because the first run on this server always times out. */
async function warmUp({ client }: TestWorkflowEnvironment): Promise<void> {
  const run = { taskQueue: 'warm-up', workflowId: 'warm-up', workflowExecutionTimeout: 1_000 }
  await client.workflow.execute('warmUp', run).catch(() => {})
}
