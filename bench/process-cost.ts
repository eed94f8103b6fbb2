import { readFileSync } from 'node:fs'

/** The unit of CPU time in Linux' /proc, on every machine. */
const ticksPerSecond = 100

/** The peak memory of a process so far (MB); NaN without /proc. */
export function peakMbOf(pid: number): number {
  const kb = /VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1]
  return Number(kb ?? Number.NaN) / 1024
}

/** The CPU time of a process and its children so far (s); NaN without /proc. */
export function cpuSecondsOf(pid: number): number {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)
  // After the command's name in parentheses, fields 14 to 17: user and system time, own and of ended children.
  const fields = read(`/proc/${pid}/stat`).split(') ').pop()!.split(' ').slice(11, 15)
  if (fields.length === 0) return Number.NaN
  const own = fields.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  // A child that ends after it was listed counts in its parent from then on.
  return children.reduce((sum, child) => sum + (cpuSecondsOf(Number(child)) || 0), own)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
