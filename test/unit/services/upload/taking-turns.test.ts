import { expect, it } from 'vitest'
import { yieldToEventLoop } from '../../../../src/services/upload/yield-to-event-loop.ts'

/** Lines that have all arrived, each of which takes a while. */
async function* lines(count: number) {
  for (let n = 0; n < count; n++) {
    const until = performance.now() + 1
    while (performance.now() < until);
    yield n
  }
}

it('passes every line on, in order, and lets others have turns', async () => {
  let turns = 0
  const others = () => {
    turns += 1
    timer = setImmediate(others)
  }
  let timer = setImmediate(others)
  const passed: number[] = []
  for await (const line of yieldToEventLoop(lines(60))) passed.push(line)
  clearImmediate(timer)
  expect(passed).toEqual(Array.from({ length: 60 }, (_, n) => n))
  expect(turns).toBeGreaterThan(3)
})

it('would let nobody have a turn otherwise', async () => {
  let turns = 0
  const timer = setImmediate(() => {
    turns += 1
  })
  for await (const _ of lines(60));
  expect(turns).toBe(0)
  clearImmediate(timer)
})
