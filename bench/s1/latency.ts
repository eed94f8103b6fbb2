import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../percentile.ts'
import type { ProviderFollower } from '../provider.ts'
import type { Baseline } from '../result.ts'

/** What a person at this address does once, after which the provider has a message for them. */
export type Tap = { address: string; once(): Promise<void> }

const tapsPerSecond = 5
/** How much longer a lone tap may wait than the floor's, in the median. */
const longerAtMost = 1.5

/** Compares the time from a tap until the provider accepts what is said next, while people tap one after the other. */
export async function compareLatency(
  provider: ProviderFollower,
  floor: Tap[],
  ours: Tap[],
): Promise<Baseline[]> {
  const [bare, took] = [await waitsAfter(provider, floor), await waitsAfter(provider, ours)]
  const what = `from a tap to the next turn, at ${tapsPerSecond} taps/s`
  const figures = [bare, took].map((waits) => percentile(waits, 0.5)) as [number, number]
  return [
    { what: `${what}, p50 of the floor`, figure: figures[0], unit: 'ms' },
    { what: `${what}, p50`, figure: figures[1], unit: 'ms' },
    { what: `${what}, p50, ratio`, figure: figures[1] / figures[0], unit: '×', atMost: longerAtMost },
    { what: `${what}, p99`, figure: percentile(took, 0.99), unit: 'ms' },
  ]
}

/** The wait after each tap (ms), of taps that come evenly. */
async function waitsAfter(provider: ProviderFollower, taps: Tap[]): Promise<number[]> {
  await provider.skip()
  const tapped = new Map<string, number>()
  const stored: Promise<void>[] = []
  const begun = Date.now()
  for (const [n, { address, once }] of taps.entries()) {
    await sleep(Math.max(0, begun + (n * 1_000) / tapsPerSecond - Date.now()))
    tapped.set(address, Date.now())
    stored.push(once())
  }
  await Promise.all(stored)
  const turns = await provider.accepts('answering', taps.length)
  return turns.map(({ to, at }) => Date.parse(at) - tapped.get(to[0]!)!)
}
