import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { cacheFolder } from './cache.ts'
import { withMachineLock } from './machine-lock.ts'
import { freePort } from './ports.ts'
import { startChild, stopChild, untilReady } from './process.ts'
import { withProgress } from './progress.ts'

const VERSION = '1.38.0'
const READY_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 5_000

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>carillon</groupId>
  <artifactId>time-skipping</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${VERSION}</version>
    </dependency>
  </dependencies>
</project>
`

/** The server ends with the process that started it, also when that one is killed. */
const SCRIPT = `#!/bin/sh
parent=$PPID
(while kill -0 $parent && kill -0 $$; do sleep 1; done; kill $$) </dev/null >/dev/null 2>&1 &
exec java -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$1" --enable-time-skipping
`

/** What the SDK takes for the server, which already runs: it ends when it is told to, or with its parent. */
const STAND_IN = `#!/bin/sh
parent=$PPID
while kill -0 $parent 2>/dev/null; do sleep 1; done
`

/**
 * A Temporal test server in which a timer of a month passes in milliseconds. It runs on Java, fetched once per
 * machine with Maven; where one of the two is missing the SDK downloads a server of its own.
 */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const script = await timeSkippingServer()
  const environment = script ? await connectTo(script) : await TestWorkflowEnvironment.createTimeSkipping()
  await warmUp(environment)
  return environment
}

/**
 * Starts the server and hands it to the SDK once it listens: the SDK gives a server that it starts by itself no more
 * than 5 s, and on a busy machine Java takes longer.
 */
async function connectTo(script: string): Promise<TestWorkflowEnvironment> {
  const port = await freePort()
  const logFile = `${script}.log`
  const java = await startChild({ name: 'time-skipping', command: script, args: [String(port)], logFile })
  await untilReady(java, () => canConnect(port), READY_TIMEOUT_MS)
  const path = join(dirname(script), 'stand-in.sh')
  writeFileSync(path, STAND_IN, { mode: 0o755 })
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { port, executable: { type: 'existing-path', path } },
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

/** The server lets its very first run time out, whatever it does: so here is one that nobody waits for. */
async function warmUp({ client }: TestWorkflowEnvironment): Promise<void> {
  const run = { taskQueue: 'warm-up', workflowId: 'warm-up', workflowExecutionTimeout: 1_000 }
  await client.workflow.execute('warmUp', run).catch(() => {})
}

/** The path of the server's start script, or null where Java or Maven is missing. */
export async function timeSkippingServer(): Promise<string | null> {
  const folder = join(cacheFolder(), `temporal-test-server-${VERSION}`)
  const script = join(folder, 'start.sh')
  const run = promisify(execFile)
  if (!(await succeeds(run('java', ['-version'])))) return null
  if (existsSync(script)) return script
  if (!(await succeeds(run('mvn', ['--version'])))) return null
  return withMachineLock(`${folder}.lock`, async () => {
    if (!existsSync(script)) {
      await withProgress(
        () => `Time-skipping test server ${VERSION}: fetching with Maven, once per machine`,
        () => fetchServer(folder),
      )
    }
    return script
  })
}

/** Fetches into a folder beside the target, so that the target is there only when it is whole. */
async function fetchServer(target: string): Promise<void> {
  const folder = `${target}.new` // ours alone: the caller holds the machine's lock
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(join(folder, 'pom.xml'), POM)
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib']
    await promisify(execFile)('mvn', ['--batch-mode', '--quiet', ...goal], { cwd: folder })
    writeFileSync(join(folder, 'start.sh'), SCRIPT, { mode: 0o755 })
    renameSync(folder, target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function succeeds(running: Promise<unknown>): Promise<boolean> {
  return running.then(
    () => true,
    () => false,
  )
}
