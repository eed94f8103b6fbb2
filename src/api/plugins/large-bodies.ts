import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** Characters from which parsing and validating a body takes milliseconds. */
const largeFrom = 64 * 1024
/** The most that a body is waited for (ms): what else the event loop did meanwhile is counted in. */
const pauseMost = 200

let last: Promise<void> = Promise.resolve()

/**
 * Parses a body; `parse` does not throw. Large ones take turns in this process, and after each the event loop is left to others for as long as
 * it took: twenty of 2 MiB that arrive together would otherwise stop it for seconds.
 */
export function parseInTurn(length: number, parse: () => void): void {
  if (length < largeFrom) return parse()
  const turn = async () => {
    const begun = performance.now()
    parse()
    await setImmediate() // validation and the first steps of the handler follow before it
    await sleep(Math.min(performance.now() - begun, pauseMost))
  }
  last = last.then(turn)
}
