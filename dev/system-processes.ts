import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * Identifies a process by its start time, which distinguishes it from a later one with the same pid. Undefined if there
 * is no such process, or only a zombie.
 */
export function identityOf(pid: number): string | undefined {
  const ps = (fields: string) =>
    execFileSync('ps', ['-o', fields, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim()
  try {
    if (process.platform !== 'linux') return ps('stat=').startsWith('Z') ? undefined : ps('lstart=')
    // After the command's name in parentheses: state is field 3, start time in ticks since boot is field 22.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()!.split(' ')
    if (fields[0] === 'Z') return undefined
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`
  } catch {
    return undefined
  }
}

/** The command line of a process, or undefined if there is no such process. */
export function argumentsOf(pid: number): string | undefined {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' })
  } catch {
    return undefined
  }
}

/** The processes with this working folder; none on systems without /proc. */
export function processesIn(folder: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && workingFolder(pid) === folder)
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** Sends a signal to a process that may already have ended. */
export function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended.
  }
}
