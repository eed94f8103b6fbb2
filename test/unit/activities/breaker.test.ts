import { describe, expect, it } from 'vitest'
import { createBreaker } from '../../../src/activities/delivery/breaker.ts'

function breakerAt(start = 0) {
  const clock = { now: start }
  return {
    clock,
    breaker: createBreaker(
      () => clock.now,
      () => 1,
    ),
  }
}

describe('a channel whose provider is down', () => {
  it('waits longer after each round, a second at most, and not at all once it was reached', () => {
    const { clock, breaker } = breakerAt()
    const waits = Array.from({ length: 5 }, () => {
      breaker.failed('chat')
      const wait = breaker.waitMs('chat')
      clock.now += wait
      return wait
    })
    expect(waits).toEqual([200, 400, 800, 1_000, 1_000])
    breaker.failed('chat')
    breaker.reached('chat')
    expect(breaker.waitMs('chat')).toBe(0)
  })

  it('counts lanes that fail together as one round', () => {
    const { breaker } = breakerAt()
    for (let lane = 0; lane < 4; lane++) breaker.failed('chat')
    expect(breaker.waitMs('chat')).toBe(200)
  })

  it('is parked after a minute without an answer', () => {
    const { clock, breaker } = breakerAt()
    let parked = false
    while (!parked) {
      parked = breaker.failed('chat')
      clock.now += breaker.waitMs('chat')
    }
    expect(clock.now).toBeGreaterThanOrEqual(60_000)
    expect(clock.now).toBeLessThan(63_000)
  })

  it('leaves the other channels alone', () => {
    const { breaker } = breakerAt()
    breaker.failed('email')
    expect(breaker.waitMs('chat')).toBe(0)
  })
})

describe('a provider that asked for a pause', () => {
  it('gets it, though other calls of the time before still succeed', () => {
    const { clock, breaker } = breakerAt()
    breaker.rest('chat', 5_000)
    breaker.rest('chat', 1_000)
    breaker.reached('chat')
    clock.now = 4_999
    expect(breaker.waitMs('chat')).toBe(1)
    clock.now = 5_000
    expect(breaker.waitMs('chat')).toBe(0)
  })
})
