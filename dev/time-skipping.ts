import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { cacheFolder } from './cache.ts'
import { withMachineLock } from './machine-lock.ts'
import { withProgress } from './progress.ts'

const VERSION = '1.38.0'
const STARTS = 4

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

/**
 * A Temporal test server in which a timer of a month passes in milliseconds. It runs on Java, fetched once per
 * machine with Maven; where one of the two is missing the SDK downloads a server of its own.
 */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const path = await timeSkippingServer()
  const options = path ? { server: { executable: { type: 'existing-path', path } } as const } : undefined
  const environment = await startPatiently(() => TestWorkflowEnvironment.createTimeSkipping(options))
  await warmUp(environment)
  return environment
}

/** On a busy machine Java may take longer to start than the 5 s for which the SDK waits. */
async function startPatiently<T>(start: () => Promise<T>): Promise<T> {
  for (let left = STARTS - 1; ; left -= 1) {
    try {
      return await start()
    } catch (error) {
      if (left === 0) throw error
    }
  }
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
