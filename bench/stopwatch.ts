import type { BenchInstallation } from './installation.ts'
import { cpuSecondsOf } from './process-cost.ts'

/** Units of work, the seconds they took, and the CPU time (s) of each process by name. */
export type Stopwatch = { work: number; seconds: number; cpu: Record<string, number> }

/**
 * Starts the clock and returns the function that stops it; call that before a process of the lap is stopped. A process
 * started during the lap counts from its start. `bench` is this process: the source of the load, or the floor's sender.
 */
export function startStopwatch(installation: BenchInstallation): (work: number) => Stopwatch {
  const before = cpuNow(installation)
  const begun = performance.now()
  return (work) => {
    const seconds = (performance.now() - begun) / 1000
    const used = Object.entries(cpuNow(installation)).map(([name, cpu]) => [name, cpu - (before[name] ?? 0)])
    return { work, seconds, cpu: Object.fromEntries(used) }
  }
}

function cpuNow(installation: BenchInstallation): Record<string, number> {
  const { user, system } = process.cpuUsage()
  const services = installation.services().map(({ name, pid }) => [name, cpuSecondsOf(pid)])
  return { ...Object.fromEntries(services), bench: (user + system) / 1e6 }
}
