import type { Channel } from '../../contract/enums.ts'
import { backOffMs } from '../../domain/back-off.ts'

/** After this long without one answer, and this many rounds of tries, what may pass has lasted long enough to park. */
const persistentAfter = { ms: 60_000, rounds: 5 }
/** A channel waits no longer than this between two rounds: it is the wave's parking that spares a provider for long. */
const longestWaitMs = 1_000

type FailureState = { since: number; until: number; rounds: number; met: Set<string> }

/** What a try says of its channel. `met`: who met trouble. `general`: it was about no recipient. */
export type ChannelSample = { answered: boolean; met: string[]; general: boolean }

/** `general`: it is about all. `lasting`: and has been for long. */
export type ChannelFailure = { general: boolean; lasting: boolean }

/**
 * Tells trouble of a provider from trouble of one batch or recipient: it is believed to be about all when two different
 * ones have met it since anybody last got through. Then it keeps the lanes of this process from running through every
 * batch: the channel waits, longer each round, until something gets through. It knows nothing that must survive: a new
 * process finds out for itself.
 */
export type CircuitBreaker = {
  /** How long the channel still waits, ms. */
  waitMs(channel: Channel): number
  /** Takes note of a try that is over. */
  note(channel: Channel, sign: ChannelSample): ChannelFailure
  /** Somebody got through less than so many ms ago. */
  passedWithin(channel: Channel, ms: number): boolean
}

/** A breaker in which nothing has failed yet; time (monotonic, ms) and chance are arguments for tests. */
export function createCircuitBreaker(now = () => performance.now(), random = Math.random): CircuitBreaker {
  const failing = new Map<Channel, FailureState>()
  const passed = new Map<Channel, number>()
  return {
    waitMs: (channel) => Math.max(0, (failing.get(channel)?.until ?? 0) - now()),
    note(channel, { answered, met, general: about }) {
      if (answered) {
        failing.delete(channel)
        passed.set(channel, now())
      }
      if (answered || met.length === 0) return { general: false, lasting: false }
      const state = failing.get(channel) ?? { since: now(), until: 0, rounds: 0, met: new Set() }
      failing.set(channel, state)
      for (const who of met) if (state.met.size < 2) state.met.add(who)
      const general = about || state.met.size > 1
      // Lanes that were under way together are one round.
      if (general && now() >= state.until) {
        state.until = now() + backOffMs(state.rounds, random(), longestWaitMs)
        state.rounds += 1
      }
      const lasting = state.rounds > persistentAfter.rounds && now() - state.since >= persistentAfter.ms
      return { general, lasting: general && lasting }
    },
    passedWithin: (channel, ms) => now() - (passed.get(channel) ?? Number.NEGATIVE_INFINITY) < ms,
  }
}
