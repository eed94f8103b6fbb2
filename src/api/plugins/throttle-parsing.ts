import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** Characters from which parsing and validating a body takes milliseconds. */
const largeFrom = 64 * 1024
/** The longest pause after a body (ms); what else the event loop did meanwhile is counted in. */
const pauseMost = 200

let last: Promise<void> = Promise.resolve()

/**
 * Waits until a body of so many characters may be parsed. Large ones take turns in this process, and after each the
 * event loop is left to others for as long as it took: twenty of 2 MiB that arrive together would stop it for seconds.
 */
export async function throttleParsing(length: number): Promise<void> {
  if (length < largeFrom) return
  const previous = last
  const turn = Promise.withResolvers<void>()
  last = turn.promise
  await previous
  void pause(performance.now()).then(turn.resolve)
}

/** Parsing, validation and the first steps of the handler come before the immediate. */
async function pause(begun: number): Promise<void> {
  await setImmediate()
  await sleep(Math.min(performance.now() - begun, pauseMost))
}
