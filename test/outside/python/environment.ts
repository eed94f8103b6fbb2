import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { cacheFolder } from '../../../dev/cache.ts'
import { withMachineLock } from '../../../dev/machine-lock.ts'

/** The oldest Python that the packages of requirements.txt run on. */
const oldest = [3, 11] as const
const requirements = join(import.meta.dirname, 'requirements.txt')
/** Fails unless this Python can make a virtual environment (Debian has that in python3-venv). */
const versionOf = 'import ensurepip, venv, sys; print(*sys.version_info[:3], sep=".")'

/** The version of python3 on PATH; undefined if there is none, it is too old or cannot make virtual environments. */
export function findPython(): string | undefined {
  const { status, stdout } = spawnSync('python3', ['-c', versionOf], { encoding: 'utf8' })
  if (status !== 0) return undefined
  const [major = 0, minor = 0] = stdout.split('.').map(Number)
  const recent = major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
  return recent ? stdout.trim() : undefined
}

/**
 * The folder of the commands of requirements.txt, in a virtual environment that is made once per machine, from PyPI.
 * @throws Error with the output of venv or pip if one of them fails
 */
export async function pythonCommands(version: string): Promise<string> {
  const packages = readFileSync(requirements)
  const name = `python-${createHash('sha256').update(version).update(packages).digest('hex').slice(0, 16)}`
  const folder = join(cacheFolder(), name)
  const commands = join(folder, 'bin')
  const complete = join(folder, 'complete')
  await withMachineLock(join(cacheFolder(), `${name}.lock`), async () => {
    if (existsSync(complete)) return
    rmSync(folder, { recursive: true, force: true })
    await succeed('python3', ['-m', 'venv', folder])
    const quietly = ['--quiet', '--disable-pip-version-check']
    await succeed(join(commands, 'python'), ['-m', 'pip', 'install', ...quietly, '-r', requirements])
    mkdirSync(complete)
  })
  return commands
}

export type Ended = { code: number | null; output: string }
type Surroundings = { cwd?: string; env?: Record<string, string> }

/** Runs a command to its end. */
export async function run(command: string, args: string[], { cwd, env }: Surroundings = {}): Promise<Ended> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((done, failed) => child.on('error', failed).once('close', done))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, output: out + err }
}

async function succeed(command: string, args: string[]): Promise<void> {
  const { code, output } = await run(command, args)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`)
}
