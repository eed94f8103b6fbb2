import { readFileSync } from 'node:fs'

/** Linux counts CPU time in these, whatever the machine. */
const ticksPerSecond = 100

/** The most memory a process has held in its life so far, MB; NaN where there is no /proc. */
export function peakMbOf(pid: number): number {
  const kb = /VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1]
  return Number(kb ?? Number.NaN) / 1024
}

/** CPU time that a process and its children have used so far, s; NaN where there is no /proc. */
export function cpuSecondsOf(pid: number): number {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)
  // After the command's name in brackets, fields 14 to 17: user and system time, its own and of children that have ended.
  const fields = read(`/proc/${pid}/stat`).split(') ').pop()!.split(' ').slice(11, 15)
  if (fields.length === 0) return Number.NaN
  const own = fields.reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  // A child that has ended since it was listed is counted in its parent from then on.
  return children.reduce((sum, child) => sum + (cpuSecondsOf(Number(child)) || 0), own)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
