import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * What tells a process from a later one with the same number: its start time. Undefined when there is no such
 * process, or only its remains.
 */
export function identityOf(pid: number): string | undefined {
  const ps = (fields: string) =>
    execFileSync('ps', ['-o', fields, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim()
  try {
    if (process.platform !== 'linux') return ps('stat=').startsWith('Z') ? undefined : ps('lstart=')
    // After the command's name in brackets: state is field 3, start time in ticks since boot is field 22.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()!.split(' ')
    if (fields[0] === 'Z') return undefined
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`
  } catch {
    return undefined
  }
}

/** The command line of a process, or undefined when there is no such process. */
export function argumentsOf(pid: number): string | undefined {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' })
  } catch {
    return undefined
  }
}
