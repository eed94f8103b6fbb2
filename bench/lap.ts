import { cpuSecondsOf } from './process-cost.ts'
import type { World } from './world.ts'

/** So many units of work in so many seconds, and the CPU time (s) that each process used meanwhile, by its name. */
export type Lap = { work: number; seconds: number; cpu: Record<string, number> }

/**
 * Starts the clock. What it returns stops it: call it before a process of the lap is stopped. A process that is started
 * during the lap counts from its start. `bench` is this process: it makes the load, or it is itself the floor's sender.
 */
export function startLap(world: World): (work: number) => Lap {
  const before = cpuNow(world)
  const begun = performance.now()
  return (work) => {
    const seconds = (performance.now() - begun) / 1000
    const used = Object.entries(cpuNow(world)).map(([name, cpu]) => [name, cpu - (before[name] ?? 0)])
    return { work, seconds, cpu: Object.fromEntries(used) }
  }
}

function cpuNow(world: World): Record<string, number> {
  const { user, system } = process.cpuUsage()
  const services = world.services().map(({ name, pid }) => [name, cpuSecondsOf(pid)])
  return { ...Object.fromEntries(services), bench: (user + system) / 1e6 }
}
