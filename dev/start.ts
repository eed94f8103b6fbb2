import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { writeCliFile } from './cli-file.ts'
import { seed } from './demo/seed.ts'
import { writeDemoFile } from './demo-file.ts'
import { type Environment, environmentOf } from './environment.ts'
import { checkPorts } from './ports.ts'
import { openProcessRegistry } from './process-registry.ts'
import { seconds } from './progress.ts'
import { loadSecrets } from './secrets.ts'
import {
  apiService,
  mailboxService,
  postgresService,
  producerService,
  signInService,
  simulatorService,
  temporalService,
  workerService,
} from './services.ts'
import { readSettings, wantedPorts } from './settings.ts'
import { Supervisor } from './supervisor.ts'
import { expectTemporal } from './temporal.ts'
import { temporalBinary } from './temporal-binary.ts'
import { welcome } from './welcome.ts'

// `npm start`: starts all processes, seeds the demo and runs it until Ctrl-C or SIGTERM. However it ends, even by a
// failure during the start, it leaves no process behind.

/** Ctrl-C in a terminal arrives twice at once: from the terminal and from npm. A later one means "kill". */
const IMPATIENT_MS = 1_000
const PARENT_CHECK_MS = 1_000

let supervisor: Supervisor | undefined
let endingSince: number | undefined

// The data folder contains personal data and credentials: other users of this machine must not read it.
process.umask(0o066)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))
if (process.env.npm_lifecycle_event) endWithParent()
process.stdout.on('error', () => {}) // a closed pipe must not stop the demo

try {
  await start()
} catch (error) {
  if (endingSince === undefined) {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
    await end(1)
  }
}

async function start(): Promise<void> {
  const begun = Date.now()
  const settings = readSettings(process.env)
  const { book, stopped } = await openProcessRegistry(settings.dataDir)
  if (stopped.length > 0) say(`stopped processes left by a killed start: ${stopped.join(', ')}`)
  await checkPorts(wantedPorts(settings))
  const environment = environmentOf(settings, loadSecrets(settings.dataDir))

  let demo: Awaited<ReturnType<typeof seed>> | undefined
  writeCliFile(environment)
  const keepDemoFile = () => demo && writeDemoFile(environment, demo, supervisor!.pids())
  supervisor = new Supervisor({ book, say, onChange: keepDemoFile })
  await startServices(environment, supervisor)
  demo = await seed(environment.variables)
  keepDemoFile()
  process.stdout.write(welcome(environment, demo, seconds(begun)))
}

/** Starts independent services in parallel. */
async function startServices(environment: Environment, supervisor: Supervisor): Promise<void> {
  const { settings, variables } = environment
  await Promise.all([
    settings.databaseUrl ?? timed('Postgres', () => supervisor.start(postgresService(environment))),
    settings.temporalAddress
      ? expectTemporal(settings.temporalAddress)
      : startTemporal(environment, supervisor),
    timed('chat simulator', () => supervisor.start(simulatorService(environment))),
    timed('mailbox', () => supervisor.start(mailboxService(environment))),
    timed('sign-in', () => supervisor.start(signInService(environment))),
    timed('producer', () => supervisor.start(producerService(environment))),
  ])
  await timed('database schema', () => migrate(variables))
  await Promise.all([
    timed('API', () => supervisor.start(apiService(environment))),
    timed('worker', () => supervisor.start(workerService(environment))),
  ])
}

async function startTemporal(environment: Environment, supervisor: Supervisor): Promise<void> {
  const binary = await temporalBinary()
  await timed('Temporal', () => supervisor.start(temporalService(environment, binary)))
}

async function migrate(env: NodeJS.ProcessEnv): Promise<void> {
  const cwd = resolve(import.meta.dirname, '..')
  const migrated = promisify(execFile)(process.execPath, ['src/cli.ts', 'migrate'], { cwd, env })
  await migrated.catch(({ stderr }: { stderr: string }) => {
    throw new Error(`Migrating the database failed.\n${stderr.trim()}`)
  })
}

async function timed(name: string, job: () => Promise<void>): Promise<void> {
  const begun = Date.now()
  await job()
  say(`${name.padEnd(16)} ${seconds(begun)}`)
}

function say(line: string): void {
  process.stdout.write(`  ${line}\n`)
}

/** Stops all services and exits; a second request kills them. */
async function end(code: number): Promise<void> {
  const now = Date.now()
  if (supervisor && endingSince === undefined) say('stopping…')
  endingSince ??= now
  if (now - endingSince > IMPATIENT_MS) supervisor?.kill()
  await supervisor?.stop()
  process.exit(code)
}

/** Ends when npm is gone: a killed npm forwards no signal. */
function endWithParent(): void {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && end(0), PARENT_CHECK_MS).unref()
}
