import type { Channel } from '../../domain/channel-plan.ts'
import { delayMs } from '../../domain/outcome.ts'

/** After this long without one answer, and this many rounds of tries, a wave is parked. */
const parkAfter = { ms: 60_000, rounds: 5 }
/** A channel waits no longer than this between two rounds: it is the wave's parking that spares a provider for long. */
const longestWaitMs = 1_000

type Failing = { since: number; until: number; rounds: number }

/**
 * Keeps the lanes of this process from running through every batch against a provider that is down or asked for a
 * pause: after a failure the channel waits, longer each round, until something gets through. It knows nothing that must
 * survive: a new process finds out for itself.
 */
export type Breaker = {
  /** How long the channel still waits, ms. */
  waitMs(channel: Channel): number
  /** A try met a provider that is down. True when it has been down long enough to park. */
  failed(channel: Channel): boolean
  /** The provider answered. */
  reached(channel: Channel): void
  /** The provider asked for a pause of so many ms. */
  rest(channel: Channel, ms: number): void
}

/** A breaker in which nothing has failed yet; time (monotonic, ms) and chance are arguments for tests. */
export function createBreaker(now = () => performance.now(), random = Math.random): Breaker {
  const failing = new Map<Channel, Failing>()
  const resting = new Map<Channel, number>()
  return {
    waitMs(channel) {
      const until = Math.max(failing.get(channel)?.until ?? 0, resting.get(channel) ?? 0)
      return Math.max(0, until - now())
    },
    failed(channel) {
      const before = failing.get(channel) ?? { since: now(), until: 0, rounds: 0 }
      // Lanes that were under way together are one round.
      if (now() >= before.until) {
        const until = now() + delayMs(before.rounds, random(), longestWaitMs)
        failing.set(channel, { since: before.since, until, rounds: before.rounds + 1 })
      }
      return before.rounds >= parkAfter.rounds && now() - before.since >= parkAfter.ms
    },
    reached: (channel) => void failing.delete(channel),
    rest: (channel, ms) => void resting.set(channel, Math.max(resting.get(channel) ?? 0, now() + ms)),
  }
}
