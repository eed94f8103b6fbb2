import type { BenchInstallation } from './installation.ts'
import { cpuSecondsOf } from './process-cost.ts'

/** So many units of work in so many seconds, and the CPU time (s) that each process used meanwhile, by its name. */
export type Stopwatch = { work: number; seconds: number; cpu: Record<string, number> }

/**
 * Starts the clock. What it returns stops it: call it before a process of the lap is stopped. A process that is started
 * during the lap counts from its start. `bench` is this process: it makes the load, or it is itself the floor's sender.
 */
export function startStopwatch(world: BenchInstallation): (work: number) => Stopwatch {
  const before = cpuNow(world)
  const begun = performance.now()
  return (work) => {
    const seconds = (performance.now() - begun) / 1000
    const used = Object.entries(cpuNow(world)).map(([name, cpu]) => [name, cpu - (before[name] ?? 0)])
    return { work, seconds, cpu: Object.fromEntries(used) }
  }
}

function cpuNow(world: BenchInstallation): Record<string, number> {
  const { user, system } = process.cpuUsage()
  const services = world.services().map(({ name, pid }) => [name, cpuSecondsOf(pid)])
  return { ...Object.fromEntries(services), bench: (user + system) / 1e6 }
}
