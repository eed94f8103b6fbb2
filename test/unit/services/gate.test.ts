import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSemaphore, type Semaphore } from '../../../src/services/semaphore.ts'

const waitMs = 2_000
let gate: Semaphore
beforeEach(() => {
  vi.useFakeTimers()
  gate = createSemaphore({ most: 2, waitMs, refusal: 'Later.' })
})
afterEach(() => vi.useRealTimers())

/** A piece of work that ends when it is told to, and whether it has begun. */
function piece(unitId: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const work = vi.fn(() => promise)
  const result = gate(unitId, work).catch((error: { code?: string }) => error.code)
  return { end: () => resolve('done'), fail: () => reject({ code: 'failed' }), result, work }
}

describe('a gate', () => {
  it('lets two of a unit run, and the next as soon as one ends, in order', async () => {
    const [one, two, three, four] = [piece('a'), piece('a'), piece('a'), piece('a')]
    await vi.advanceTimersByTimeAsync(waitMs - 1)
    expect([one, two, three, four].map(({ work }) => work.mock.calls.length)).toEqual([1, 1, 0, 0])
    two.fail()
    expect(await two.result).toBe('failed')
    await vi.advanceTimersByTimeAsync(0)
    expect([three, four].map(({ work }) => work.mock.calls.length)).toEqual([1, 0])
    await vi.advanceTimersByTimeAsync(waitMs)
    expect(await four.result).toBe('unavailable')
    one.end()
    three.end()
    expect(await Promise.all([one.result, three.result])).toEqual(['done', 'done'])
    expect(four.work).not.toHaveBeenCalled()
  })

  it('keeps no place for one who has left', async () => {
    const [one, two, three] = [piece('a'), piece('a'), piece('a')]
    await vi.advanceTimersByTimeAsync(waitMs)
    expect(await three.result).toBe('unavailable')
    one.end()
    two.end()
    await Promise.all([one.result, two.result])
    const later = [piece('a'), piece('a')]
    await vi.advanceTimersByTimeAsync(0)
    expect(later.map(({ work }) => work.mock.calls.length)).toEqual([1, 1])
  })

  it('lets other units pass', async () => {
    piece('a')
    piece('a')
    const other = piece('b')
    await vi.advanceTimersByTimeAsync(0)
    expect(other.work).toHaveBeenCalled()
  })
})
