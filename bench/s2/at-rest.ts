import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchInstallation } from '../installation.ts'
import { memoryMbOf } from '../process-cost.ts'
import type { Baseline } from '../result.ts'
import { startStopwatch } from '../stopwatch.ts'

const processes = ['worker', 'temporal', 'postgres']
/** What was under way ends first. */
const settleMs = 3_000
const restMs = 15_000

/** Measures memory and CPU of the processes that hold runs while nothing happens. `when`: said of each figure. */
export async function measureRest(installation: BenchInstallation, when: string): Promise<Baseline[]> {
  await sleep(settleMs)
  const lap = startStopwatch(installation)
  await sleep(restMs)
  const { cpu, seconds } = lap(1)
  return installation
    .services()
    .filter(({ name }) => processes.includes(name))
    .flatMap(({ name, pid }) => [
      { what: `${name}, ${when}, memory`, figure: memoryMbOf(pid), unit: 'MB' },
      { what: `${name}, ${when}, CPU`, figure: (cpu[name]! / seconds) * 100, unit: '% of a core' },
    ])
}
