import type { Logger } from 'pino'
import type { ObserveRequest } from '../../channels/channel.ts'
import type { Channel } from '../../contract/enums.ts'

/** So many requests in a row that a provider has not accepted: fewer may be about single recipients. */
const inARow = 5

/** The requests in a row that failed. `loggedAt`: since when the log says so (performance.now()); null: it does not. */
type Streak = { failed: number; loggedAt: number | null }

/**
 * Says in the log when a channel of this process begins to fail, and when it works again: once each, however many
 * requests there are.
 */
export function withFailureLog(log: Pick<Logger, 'warn' | 'info'>, observe: ObserveRequest): ObserveRequest {
  const streaks = new Map<Channel, Streak>()
  return (channel, status, startedAt) => {
    observe(channel, status, startedAt)
    if (status === 'aborted') return
    const streak = streaks.get(channel) ?? { failed: 0, loggedAt: null }
    if (status === '2xx' || status === '409') {
      streaks.delete(channel)
      if (streak.loggedAt === null) return
      const seconds = Math.round((performance.now() - streak.loggedAt) / 1_000)
      log.info({ channel, seconds }, 'The provider of a channel accepts requests again')
      return
    }
    streak.failed += 1
    if (streak.failed === inARow) {
      streak.loggedAt = performance.now()
      log.warn(
        { channel, status },
        `The provider of a channel has accepted none of ${inARow} requests in a row`,
      )
    }
    streaks.set(channel, streak)
  }
}
