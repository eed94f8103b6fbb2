import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from './cache.ts'
import { withMachineLock } from './machine-lock.ts'
import { withProgress } from './progress.ts'

const VERSION = '1.38.0'

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

/** Starts the server, which ends with the process that started it, even if that is killed. */
const START = `#!/bin/sh
parent=$PPID
(while kill -0 $parent && kill -0 $$; do sleep 1; done; kill $$) </dev/null >/dev/null 2>&1 &
exec java -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$1" --enable-time-skipping
`

/** Stands in for the server, which already runs, when the SDK starts one; ends on request or with its parent. */
const STAND_IN = `#!/bin/sh
parent=$PPID
while kill -0 $parent 2>/dev/null; do sleep 1; done
`

/** Two scripts: one starts the server on the given port, the other stands in for it when the SDK starts one. */
export interface TimeSkippingServer {
  start: string
  standIn: string
}

/** Fetches the server if it is missing; null if Java or Maven is missing. */
export async function timeSkippingServer(): Promise<TimeSkippingServer | null> {
  const folder = join(cacheFolder(), `temporal-test-server-${VERSION}`)
  const server = { start: join(folder, 'start.sh'), standIn: join(folder, 'stand-in.sh') }
  const run = promisify(execFile)
  if (!(await succeeds(run('java', ['-version'])))) return null
  if (existsSync(server.standIn)) return server
  if (!(await succeeds(run('mvn', ['--version'])))) return null
  return withMachineLock(`${folder}.lock`, async () => {
    if (!existsSync(server.standIn)) {
      await withProgress(
        () => `Time-skipping test server ${VERSION}: fetching with Maven, once per machine`,
        () => fetchServer(folder),
      )
    }
    return server
  })
}

/** Fetches to a folder beside the target and renames it, so that the target is created atomically. */
async function fetchServer(target: string): Promise<void> {
  const folder = `${target}.new` // exclusive: the caller holds the machine's lock
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(join(folder, 'pom.xml'), POM)
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib']
    await promisify(execFile)('mvn', ['--batch-mode', '--quiet', ...goal], { cwd: folder })
    writeFileSync(join(folder, 'start.sh'), START, { mode: 0o755 })
    writeFileSync(join(folder, 'stand-in.sh'), STAND_IN, { mode: 0o755 })
    rmSync(target, { recursive: true, force: true })
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
