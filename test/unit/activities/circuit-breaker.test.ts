import { describe, expect, it } from 'vitest'
import { createCircuitBreaker } from '../../../src/activities/delivery/circuit-breaker.ts'

function breakerAt(start = 0) {
  const clock = { now: start }
  const breaker = createCircuitBreaker(
    () => clock.now,
    () => 1,
  )
  const fails = (who: string, general = false) =>
    breaker.record('chat', { answered: false, failedFor: [who], general })
  const passes = () => breaker.record('chat', { answered: true, failedFor: [], general: false })
  return { clock, breaker, fails, passes }
}

describe('failures', () => {
  it('of one batch concern only that batch, however often it fails', () => {
    const { breaker, fails } = breakerAt()
    for (let n = 0; n < 9; n++) expect(fails('one')).toEqual({ general: false, persistent: false })
    expect(breaker.waitMs('chat')).toBe(0)
  })

  it('of two different batches are general, until a call succeeds', () => {
    const { breaker, fails, passes } = breakerAt()
    fails('one')
    expect(fails('two')).toMatchObject({ general: true })
    expect(breaker.waitMs('chat')).toBeGreaterThan(0)
    passes()
    expect(breaker.waitMs('chat')).toBe(0)
    expect(fails('two')).toMatchObject({ general: false })
  })

  it('that concern no recipient are general at once', () => {
    expect(breakerAt().fails('one', true)).toMatchObject({ general: true })
  })

  it('are not counted for a try that tried no recipient', () => {
    const { breaker, fails } = breakerAt()
    fails('one')
    expect(breaker.record('chat', { answered: false, failedFor: [], general: false })).toMatchObject({
      general: false,
    })
    expect(fails('one')).toMatchObject({ general: false })
  })

  it('do not affect other channels', () => {
    const { breaker } = breakerAt()
    breaker.record('email', { answered: false, failedFor: ['one', 'two'], general: false })
    expect(breaker.waitMs('chat')).toBe(0)
  })
})

describe('a channel whose provider is down', () => {
  it('waits longer after each round, a second at most, and not at all once it was reached', () => {
    const { clock, breaker, fails, passes } = breakerAt()
    const waits = Array.from({ length: 5 }, () => {
      fails('one', true)
      const wait = breaker.waitMs('chat')
      clock.now += wait
      return wait
    })
    expect(waits).toEqual([200, 400, 800, 1_000, 1_000])
    fails('one', true)
    passes()
    expect(breaker.waitMs('chat')).toBe(0)
  })

  it('counts lanes that fail together as one round', () => {
    const { breaker, fails } = breakerAt()
    for (const lane of ['one', 'two', 'three', 'four']) fails(lane)
    expect(breaker.waitMs('chat')).toBe(200)
  })

  it('is persistent after a minute without an answer', () => {
    const { clock, breaker, fails } = breakerAt()
    while (!fails('one', true).persistent) clock.now += breaker.waitMs('chat')
    expect(clock.now).toBeGreaterThanOrEqual(60_000)
    expect(clock.now).toBeLessThan(63_000)
  })
})

it('reports whether a call succeeded recently', () => {
  const { clock, breaker, passes } = breakerAt()
  expect(breaker.succeededWithin('chat', 1_000)).toBe(false)
  passes()
  clock.now = 10
  expect(breaker.succeededWithin('chat', 11)).toBe(true)
  expect(breaker.succeededWithin('chat', 10)).toBe(false)
  expect(breaker.succeededWithin('email', 11)).toBe(false)
})
