import { setImmediate as afterOthers } from 'node:timers/promises'

/** How long lines are worked off before others have a turn (ms). */
const turnMs = 5

/**
 * Passes the lines of a file on, and lets the other requests of the process have a turn every few milliseconds: the lines
 * of a part that has arrived, up to tens of thousands, are otherwise worked off in one go.
 */
export async function* yieldToEventLoop<Line>(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  let begun = performance.now()
  for await (const line of lines) {
    yield line
    if (performance.now() - begun < turnMs) continue
    await afterOthers()
    begun = performance.now()
  }
}
