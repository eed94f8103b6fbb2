import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Counts } from '../test/harness/count-reporter.ts'
import { findChromium } from './chromium.ts'
import { seconds } from './progress.ts'
import { hasGo, s3GatewayBinary } from './s3-gateway.ts'
import { temporalBinary } from './temporal-binary.ts'
import { timeSkippingServer } from './time-skipping-server.ts'

/**
 * `npm test`: runs every step, even after a failed one; the last line of the output counts over all of them. `--all` adds
 * the fault tests and races in small counts and the tests of the test tools, `--fast` leaves out what needs servers,
 * `--faults` runs the fault tests with their full counts, and the Python programs of test/outside.
 */
interface Step {
  name: string
  run(print: Print): Promise<Counts>
}

/** Takes the output of a step; null: it goes straight to ours, so that a terminal shows progress. */
type Print = ((text: string) => void) | null

type Command = [string, ...string[]]

interface Ended extends Counts {
  name: string
  took: string
}

const ROOT = resolve(import.meta.dirname, '..')
const NO_BROWSER = 'Tests in a browser are skipped: no Chromium is on PATH, and npm cannot fetch one'

const types: Step = { name: 'types', run: (print) => check(print, 'tsc') }
const scripts: Step = {
  name: 'types of scripts',
  run: (print) => check(print, 'tsc', '-p', 'src/api/console'),
}
const lint: Step = {
  name: 'lint',
  run: (print) => check(print, 'biome', 'check', '--error-on-warnings', '.'),
}
const unit: Step = { name: 'unit', run: (print) => tests(print, 'unit') }
const servers: Step = { name: 'servers for tests', run: fetchServers }
const integration: Step = { name: 'integration', run: (print) => tests(print, 'integration') }
const tools: Step = { name: 'tools', run: (print) => tests(print, 'tools') }
const outside: Step = { name: 'outside', run: (print) => tests(print, 'outside') }
const faults: Step = { name: 'faults', run: (print) => tests(print, 'faults') }
const faultsInFull: Step = {
  name: 'faults in full',
  run: (print) => tests(print, 'faults', { FAULT_COUNTS: 'full' }),
}

/** The running commands. */
const running = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stopOnSignal(signal))

const ended: Ended[] = []
for (const group of chooseSteps(process.argv.slice(2))) ended.push(...(await runGroup(group)))
const total = sum(ended)
process.stdout.write(`\n${describeEnds(ended)}\n${describeFailures(total)}\n${lineOf(total)}\n`)
process.exit(total.failures.length > 0 ? 1 : 0)

/** The steps to run, one group after another. */
function chooseSteps(flags: string[]): Step[][] {
  const quick = [types, scripts, lint, unit]
  if (flags.includes('--faults')) return [[servers], [outside], [faultsInFull]]
  if (flags.includes('--fast')) return [quick]
  const system = flags.includes('--all') ? [[tools], [faults]] : []
  return [[servers, ...quick], [integration], ...system]
}

/** Runs steps at once. The first one prints as it goes, each other when it has ended. */
async function runGroup(group: Step[]): Promise<Ended[]> {
  return Promise.all(
    group.map(async ({ name, run }, index) => {
      const begun = Date.now()
      const kept: string[] = []
      if (index === 0) process.stdout.write(`\n── ${name}\n`)
      const counts = await run(index === 0 ? null : (text) => void kept.push(text))
      if (index > 0) process.stdout.write(`\n── ${name}\n${kept.join('')}`)
      const took = seconds(begun)
      process.stdout.write(`── ${name}: ${verdict(counts)}, ${took}\n`)
      return { ...counts, name, took }
    }),
  )
}

/** Runs a command that counts as one check. */
async function check(print: Print, ...command: Command): Promise<Counts> {
  return oneCheck(command.join(' '), (await run(print, command)) === 0)
}

/** Runs the tests of one project. A run that reports no counts, or no test at all, has failed. */
async function tests(print: Print, project: string, env = {}): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-counts-'))
  const file = join(folder, 'counts.json')
  try {
    const command: Command = ['vitest', 'run', '--project', project]
    const code = await run(print, command, { ...env, CARILLON_COUNTS: file })
    const counts: Counts = JSON.parse(readFileSync(file, 'utf8'))
    const silent = counts.failures.length === 0 && (code !== 0 || counts.passed + counts.skipped === 0)
    if (silent) counts.failures.push(`${project}: ended with code ${code}`)
    return counts
  } catch {
    return oneCheck(project, false)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Counts only if it fails, so that the reason is printed once and not in every test. */
async function fetchServers(): Promise<Counts> {
  try {
    await temporalBinary()
    if (hasGo()) await s3GatewayBinary()
    await timeSkippingServer()
    const browser = await findChromium()
    if ('missing' in browser) process.stdout.write(`${NO_BROWSER}: ${browser.missing}\n`)
    return { passed: 0, skipped: 0, failures: [] }
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return oneCheck('servers for tests', false)
  }
}

function oneCheck(name: string, good: boolean): Counts {
  return { passed: good ? 1 : 0, skipped: 0, failures: good ? [] : [`${name}: see its output above`] }
}

/** Runs a command of node_modules/.bin. */
function run(print: Print, [command, ...args]: Command, env = {}): Promise<number | null> {
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/.bin', command), ...args], {
    cwd: ROOT,
    stdio: print ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  })
  if (print) for (const output of [child.stdout, child.stderr]) output?.setEncoding('utf8').on('data', print)
  running.add(child)
  return new Promise((done) =>
    child.once('close', (code) => {
      running.delete(child)
      done(code)
    }),
  )
}

/** A line for each step: its verdict, its duration and its counts. */
function describeEnds(steps: readonly Ended[]): string {
  const width = Math.max(...steps.map(({ name }) => name.length))
  return steps
    .map(
      (step) =>
        `${step.name.padEnd(width)}  ${verdict(step).padEnd(6)}  ${step.took.padStart(11)}  ${lineOf(step)}`,
    )
    .join('\n')
}

function verdict({ failures }: Counts): string {
  return failures.length > 0 ? 'FAILED' : 'ok'
}

/** Each failure once more, so that the end of a long output says what has failed. */
function describeFailures({ failures }: Counts): string {
  return failures.map((failure) => `\nFAILED  ${failure}`).join('') + (failures.length > 0 ? '\n' : '')
}

function sum(all: readonly Counts[]): Counts {
  const added = (what: 'passed' | 'skipped') => all.reduce((total, counts) => total + counts[what], 0)
  return {
    passed: added('passed'),
    skipped: added('skipped'),
    failures: all.flatMap(({ failures }) => failures),
  }
}

function lineOf({ passed, failures, skipped }: Counts): string {
  return `${passed} passed, ${failures.length} failed, ${skipped} skipped`
}

/** Waits until the running commands have ended: they may have servers to stop. */
async function stopOnSignal(signal: NodeJS.Signals): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      const closed = new Promise((done) => child.once('close', done))
      child.kill(signal)
      return closed
    }),
  )
  process.exit(1)
}
