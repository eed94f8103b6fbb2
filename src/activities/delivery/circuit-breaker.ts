import type { Channel } from '../../contract/enums.ts'
import { backOffMs } from '../../domain/lib/back-off.ts'

/** A failure that lasts this long and this many rounds without one answer is persistent enough to park the wave. */
const persistentAfter = { ms: 60_000, rounds: 5 }
/** The longest pause of a channel between two rounds. Longer outages are left to parking. */
const longestWaitMs = 1_000

/** `failed`: what has failed since the last answer, at most two. */
type FailureState = { since: number; until: number; rounds: number; failed: Set<string> }

/**
 * What a try shows about its channel. `failedFor`: recipients or batches for which it failed. `general`: the failure
 * concerns no recipient.
 */
type ChannelSample = { answered: boolean; failedFor: string[]; general: boolean }

/** `general`: the whole channel fails. `persistent`: it has failed long enough to park the wave. */
type ChannelFailure = { general: boolean; persistent: boolean }

/**
 * Distinguishes failures of a provider from failures of one batch or recipient: once two different ones have failed
 * since the last answer, the failure is general. The channel then pauses, longer each round, until a call succeeds,
 * so that the lanes of this process do not try every batch in vain. Each process keeps its own state, in memory.
 */
export type CircuitBreaker = {
  /** How long the channel still pauses, ms. */
  waitMs(channel: Channel): number
  /** Records a finished try. */
  record(channel: Channel, sample: ChannelSample): ChannelFailure
  /** Whether a call succeeded within the last `ms`. */
  succeededWithin(channel: Channel, ms: number): boolean
}

/** A breaker without failures. Tests inject the clock (monotonic, ms) and the random source. */
export function createCircuitBreaker(now = () => performance.now(), random = Math.random): CircuitBreaker {
  const failing = new Map<Channel, FailureState>()
  const succeededAt = new Map<Channel, number>()
  return {
    waitMs: (channel) => Math.max(0, (failing.get(channel)?.until ?? 0) - now()),
    record(channel, { answered, failedFor, general: reportedGeneral }) {
      if (answered) {
        failing.delete(channel)
        succeededAt.set(channel, now())
      }
      if (answered || failedFor.length === 0) return { general: false, persistent: false }
      const state = failing.get(channel) ?? { since: now(), until: 0, rounds: 0, failed: new Set() }
      failing.set(channel, state)
      for (const id of failedFor) if (state.failed.size < 2) state.failed.add(id)
      const general = reportedGeneral || state.failed.size > 1
      // Lanes that were in flight together count as one round.
      if (general && now() >= state.until) {
        state.until = now() + backOffMs(state.rounds, random(), longestWaitMs)
        state.rounds += 1
      }
      const lasting = state.rounds > persistentAfter.rounds && now() - state.since >= persistentAfter.ms
      return { general, persistent: general && lasting }
    },
    succeededWithin: (channel, ms) => now() - (succeededAt.get(channel) ?? Number.NEGATIVE_INFINITY) < ms,
  }
}
