import { readFileSync } from 'node:fs'

/** The unit of CPU time in Linux' /proc, on every machine. */
const ticksPerSecond = 100

/** The peak memory of a process so far (MB); NaN without /proc. */
export function peakMbOf(pid: number): number {
  const kb = /VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1]
  return Number(kb ?? Number.NaN) / 1024
}

/**
 * The memory that a process and its children occupy now (MB); what several of them share counts once. NaN without /proc.
 */
export function memoryMbOf(pid: number): number {
  const kb = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1]
  return childrenOf(pid).reduce(
    (sum, child) => sum + (memoryMbOf(child) || 0),
    Number(kb ?? Number.NaN) / 1024,
  )
}

/** The CPU time of a process and its children so far (s); NaN without /proc. */
export function cpuSecondsOf(pid: number): number {
  // After the command's name in parentheses, fields 14 to 17: user and system time, own and of ended children.
  const fields = read(`/proc/${pid}/stat`).split(') ').pop()!.split(' ').slice(11, 15)
  if (fields.length === 0) return Number.NaN
  const own = fields.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  // A child that ends after it was listed counts in its parent from then on.
  return childrenOf(pid).reduce((sum, child) => sum + (cpuSecondsOf(child) || 0), own)
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
