import { readFileSync } from 'node:fs'

/** What a process of ours has cost so far, as Linux tells; NaN where there is no /proc. */
export type Cost = { peakMb: number; cpuSeconds: number }

/** Linux counts CPU time in these, whatever the machine. */
const ticksPerSecond = 100

export function costOf(pid: number): Cost {
  try {
    const peakKb = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    // After the command's name in brackets: user and system time are fields 14 and 15.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()!.split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return { peakMb: Number(peakKb) / 1024, cpuSeconds: ticks / ticksPerSecond }
  } catch {
    return { peakMb: Number.NaN, cpuSeconds: Number.NaN }
  }
}
