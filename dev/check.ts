import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Counts } from '../test/harness/count-reporter.ts'
import { seconds } from './progress.ts'
import { temporalBinary } from './temporal-binary.ts'
import { timeSkippingServer } from './time-skipping-server.ts'

/**
 * `npm test`: runs every step, even after a failed one; the last line of the output counts over all of them. `--fast`
 * leaves out steps that need servers, `--faults` runs the fault tests with their full counts, and the Python programs of
 * test/outside.
 */
interface Step {
  name: string
  run(): Promise<Counts>
}

const ROOT = resolve(import.meta.dirname, '..')

const types: Step = { name: 'types', run: () => check('tsc') }
const lint: Step = { name: 'lint', run: () => check('biome', 'check', '--error-on-warnings', '.') }
const unit: Step = { name: 'unit', run: () => tests('unit') }
const servers: Step = { name: 'servers for tests', run: fetchServers }
const integration: Step = { name: 'integration', run: () => tests('integration') }
const outside: Step = { name: 'outside', run: () => tests('outside') }
const faults: Step = { name: 'faults', run: () => tests('faults') }

/** The running command. */
let current: ChildProcess | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stopOnSignal(signal))

const total: Counts = { passed: 0, failed: 0, skipped: 0 }
for (const step of chooseSteps(process.argv.slice(2))) {
  const begun = Date.now()
  process.stdout.write(`\n── ${step.name}\n`)
  const counts = await step.run()
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key]
  process.stdout.write(`── ${step.name}: ${counts.failed > 0 ? 'FAILED' : 'ok'}, ${seconds(begun)}\n`)
}
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
process.exit(total.failed > 0 ? 1 : 0)

function chooseSteps(flags: string[]): Step[] {
  if (flags.includes('--faults')) return [servers, outside, faults]
  if (flags.includes('--fast')) return [types, lint, unit]
  return [types, lint, unit, servers, integration]
}

/** Runs a command that counts as one check. */
async function check(...command: [string, ...string[]]): Promise<Counts> {
  return oneCheck((await run(command)) === 0)
}

/** Runs the tests of a project. A run that reports no counts, or no test at all, has failed. */
async function tests(project: string): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-counts-'))
  const file = join(folder, 'counts.json')
  try {
    const code = await run(['vitest', 'run', '--project', project], { CARILLON_COUNTS: file })
    const counts: Counts = JSON.parse(readFileSync(file, 'utf8'))
    const silent = counts.failed === 0 && (code !== 0 || counts.passed + counts.skipped === 0)
    return silent ? { ...counts, failed: 1 } : counts
  } catch {
    return oneCheck(false)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Counts only if it fails, so that the reason is printed once and not in every test. */
async function fetchServers(): Promise<Counts> {
  try {
    await temporalBinary()
    await timeSkippingServer()
    return { passed: 0, failed: 0, skipped: 0 }
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return oneCheck(false)
  }
}

function oneCheck(good: boolean): Counts {
  return { passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 }
}

/** Runs a command of node_modules/.bin with inherited output. */
function run([command, ...args]: [string, ...string[]], env = {}): Promise<number | null> {
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/.bin', command), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  })
  current = child
  return new Promise((done) => child.once('close', done))
}

/** Waits for the running command to end: it may have servers to stop. */
async function stopOnSignal(signal: NodeJS.Signals): Promise<void> {
  const running = current
  if (running && running.exitCode === null) {
    const closed = new Promise((done) => running.once('close', done))
    running.kill(signal)
    await closed
  }
  process.exit(1)
}
