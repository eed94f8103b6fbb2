import { channelFacts } from '../channels/facts/by-channel.ts'
import type { Channel } from '../contract/enums.ts'
import type { DeliveryContext } from './delivery/context.ts'

/** What such a local activity may do: it holds a slot of the runs, and their histories grow while it lasts. */
const limits = { longestTryMs: 10_000, atATime: 20, slowMs: 1_000, restMs: 60_000 }
/** The share of the last step in the mean: one that hangs makes the channel slow, one in a busy second does not. */
const lastShare = 0.2

/**
 * Steps that call a provider, taken by a local activity of the worker that has the run: it spares the run an activity, and
 * a step that follows a reading is in the same workflow task.
 */
export type AtOnce = {
  /** Whether a step of this channel would be taken now. */
  isQuick(channel: Channel): boolean
  /**
   * Takes a step. Null if it was not taken, or failed: the run then takes it as an activity of the channel's task queue, with
   * its retries, its fairness between units and its parking.
   */
  take<T>(channel: Channel, step: string, take: () => Promise<T>): Promise<T | null>
}

/**
 * Steps are taken at once only while the provider answers quickly: not where a try may take long, while the channel
 * pauses, within a minute of slow ones, or beside twenty others. `now`: monotonic, ms.
 */
export function createAtOnce(
  { senders, breaker, drain, services }: DeliveryContext,
  now = () => performance.now(),
): AtOnce {
  const slowUntil = new Map<Channel, number>()
  const meanMs = new Map<Channel, number>()
  let taking = 0

  const isQuick = (channel: Channel) =>
    senders[channel] !== undefined &&
    channelFacts[channel].longestTryMs <= limits.longestTryMs &&
    !drain.draining &&
    taking < limits.atATime &&
    breaker.waitMs(channel) === 0 &&
    now() >= (slowUntil.get(channel) ?? 0)

  async function takeNow<T>(channel: Channel, step: string, take: () => Promise<T>): Promise<T | null> {
    if (!isQuick(channel)) return null
    const begun = now()
    taking += 1
    try {
      return await take()
    } catch (err) {
      services.log.debug({ channel, step, err }, 'A step failed in a local activity; the run takes it again')
      return null
    } finally {
      taking -= 1
      note(channel, now() - begun)
    }
  }

  function note(channel: Channel, tookMs: number): void {
    const mean = (meanMs.get(channel) ?? 0) * (1 - lastShare) + tookMs * lastShare
    meanMs.set(channel, mean > limits.slowMs ? 0 : mean)
    if (mean > limits.slowMs) slowUntil.set(channel, now() + limits.restMs)
  }

  return { isQuick, take: takeNow }
}
