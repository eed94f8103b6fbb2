import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../contract/limits.ts'
import { createGate } from '../gate.ts'

/** Runs `call` when an origin may be called. */
export type OriginTurns = <Result>(origin: string, call: () => Promise<Result>) => Promise<Result>

/** How long a call waits for a place (ms), before it makes room for calls of other origins and comes back later. */
const placeWaitMs = 5_000
const secondMs = 1_000

/**
 * The Lookups of a process, by origin: at most `limits.lookupsAtOnce` at a time and `limits.lookupsPerSecond` begun in
 * any second. The others wait in order.
 * @throws ServiceError unavailable where too many others have waited longer
 */
export function createOriginTurns(): OriginTurns {
  const gate = createGate({
    most: limits.lookupsAtOnce,
    waitMs: placeWaitMs,
    refusal: 'The origin has as many Lookups under way as it may have.',
  })
  /** When the last calls of an origin began or will begin (performance.now()), oldest first. */
  const begins = new Map<string, number[]>()

  function reserve(origin: string): number {
    const now = performance.now()
    for (const [other, times] of begins) if (times.at(-1)! < now - secondMs) begins.delete(other)
    const times = begins.get(origin) ?? []
    begins.set(origin, times)
    const oldest = times.length < limits.lookupsPerSecond ? undefined : times.shift()
    const at = oldest === undefined ? now : Math.max(now, oldest + secondMs)
    times.push(at)
    return at - now
  }

  return (origin, call) =>
    gate(origin, async () => {
      const waitMs = reserve(origin)
      if (waitMs > 0) await sleep(waitMs)
      return call()
    })
}
