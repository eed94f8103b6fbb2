import { Pool } from 'undici'
import type { BenchInstallation } from '../installation.ts'
import { percentile } from '../percentile.ts'
import type { Baseline } from '../result.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'

/** Something that is read. `origin`: of another server than the API. */
export type Read = { what: string; path: string; headers: Record<string, string>; origin?: string }

/** Seconds that each read took, by what it is. */
export type Took = Map<string, number[]>

/** Reads each so many times, one after the other over one connection; the seconds are the median of a read. */
export async function readAll(
  installation: BenchInstallation,
  reads: readonly Read[],
  times: number,
  took: Took,
): Promise<Stopwatch> {
  const pools = new Map<string, Pool>()
  const poolOf = (origin: string) => {
    const pool = pools.get(origin) ?? new Pool(origin, { connections: 1 })
    pools.set(origin, pool)
    return pool
  }
  const all: number[] = []
  const lap = startStopwatch(installation)
  for (let n = 0; n < times; n += 1)
    for (const { what, path, headers, origin = installation.environment.addresses.api } of reads) {
      const begun = performance.now()
      const { statusCode, body } = await poolOf(origin).request({ path, method: 'GET', headers })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text.slice(0, 500)}`)
      const seconds = (performance.now() - begun) / 1_000
      all.push(seconds)
      took.set(what, [...(took.get(what) ?? []), seconds])
    }
  const ended = { ...lap(all.length), seconds: percentile(all, 0.5) }
  for (const pool of pools.values()) await pool.close()
  return ended
}

/** What 95 of 100 reads took at most. */
export function p95Of(what: string, took: readonly number[], atMost?: number): Baseline {
  const figure = percentile(took, 0.95) * 1_000
  return { what: `${what}, p95`, figure, unit: 'ms', ...(atMost !== undefined && { atMost }) }
}
