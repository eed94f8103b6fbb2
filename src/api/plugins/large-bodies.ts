import { setImmediate as afterOthers } from 'node:timers/promises'

/** From this length on, parsing and checking a body takes longer than most requests as a whole (characters). */
const large = 64 * 1_024

/**
 * Creates a function that resolves when a body may be parsed: a small one at once, large ones one after another, with a
 * turn for everybody else in between. Without it the bodies of twenty connections that arrive together are parsed in one
 * go, and whoever comes next waits for all of them.
 */
export function createParsingTurns(): (body: string) => Promise<void> {
  let last = Promise.resolve()
  return async (body) => {
    if (body.length < large) return
    last = last.then(() => afterOthers())
    await last
  }
}
