import { setTimeout as sleep } from 'node:timers/promises'
import { type AskedRun, tap } from '../conversation.ts'
import type { BenchInstallation } from '../installation.ts'
import { percentile } from '../percentile.ts'
import type { ProviderFollower } from '../provider.ts'
import type { Baseline } from '../result.ts'

const tapsPerSecond = 5

/** Lets people tap one after the other, evenly; measures from each tap until the provider accepts what is said next. */
export async function measureLatency(
  installation: BenchInstallation,
  provider: ProviderFollower,
  runs: AskedRun[],
): Promise<Baseline[]> {
  await provider.skip()
  const tapped = new Map<string, number>()
  const stored: Promise<void>[] = []
  const begun = Date.now()
  for (const [n, run] of runs.entries()) {
    await sleep(Math.max(0, begun + (n * 1_000) / tapsPerSecond - Date.now()))
    tapped.set(run.address, Date.now())
    stored.push(tap(installation, run))
  }
  await Promise.all(stored)
  const turns = await provider.accepts('answering', runs.length)
  const took = turns.map(({ to, at }) => Date.parse(at) - tapped.get(to[0]!)!)
  const what = `from a tap to the next turn, at ${tapsPerSecond} taps/s`
  return [
    { what: `${what}, p50`, figure: percentile(took, 0.5), unit: 'ms' },
    { what: `${what}, p99`, figure: percentile(took, 0.99), unit: 'ms' },
  ]
}
