import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { createAtOnce } from '../../../src/activities/at-once.ts'
import { createCircuitBreaker } from '../../../src/activities/delivery/circuit-breaker.ts'
import type { DeliveryContext } from '../../../src/activities/delivery/context.ts'
import type { Services } from '../../../src/services/context.ts'
import { byCall, byMails } from '../../fixtures/senders.ts'

/** A worker with both channels, on a clock of its own. */
function worker() {
  const clock = { now: 0 }
  const drain = { draining: false }
  const breaker = createCircuitBreaker(
    () => clock.now,
    () => 1,
  )
  const delivery = {
    services: { log: pino({ level: 'silent' }) } as unknown as Services,
    senders: { chat: byCall(async () => ({ kind: 'accepted' })), email: byMails(async () => []) },
    ...{ drain, breaker },
  } satisfies DeliveryContext
  return { clock, drain, breaker, atOnce: createAtOnce(delivery, () => clock.now) }
}

const step = async () => 'taken'

describe('a step', () => {
  it('is taken at once by chat, and not by mail, whose tries may take a minute', async () => {
    const { atOnce } = worker()
    expect(await atOnce.take('chat', 'sayTurn', step)).toBe('taken')
    expect(await atOnce.take('email', 'sayTurn', step)).toBeNull()
  })

  it('is left to an activity if it fails', async () => {
    const { atOnce } = worker()
    expect(await atOnce.take('chat', 'sayTurn', () => Promise.reject(new Error('no database')))).toBeNull()
  })

  it('is left to an activity while the channel pauses', async () => {
    const { atOnce, breaker, clock } = worker()
    breaker.record('chat', { answered: false, failedFor: ['one', 'other'], general: false })
    expect(await atOnce.take('chat', 'sayTurn', step)).toBeNull()
    clock.now += breaker.waitMs('chat')
    expect(await atOnce.take('chat', 'sayTurn', step)).toBe('taken')
  })

  it('is left to an activity for a minute after one that hung, or some that took seconds, and not after a slow one', async () => {
    const { atOnce, clock } = worker()
    const taking = (ms: number) => async () => {
      clock.now += ms
      return 'taken'
    }
    expect(await atOnce.take('chat', 'sayTurn', taking(4_000))).toBe('taken')
    expect(await atOnce.take('chat', 'sayTurn', taking(50))).toBe('taken')
    expect(await atOnce.take('chat', 'sayTurn', taking(4_000))).toBe('taken')
    expect(await atOnce.take('chat', 'sayTurn', step)).toBeNull()
    clock.now += 60_000
    expect(await atOnce.take('chat', 'sayTurn', taking(9_000))).toBe('taken')
    clock.now += 59_999
    expect(await atOnce.take('chat', 'sayTurn', step)).toBeNull()
    clock.now += 1
    expect(await atOnce.take('chat', 'sayTurn', step)).toBe('taken')
  })

  it('is left to an activity beside twenty others, and in a worker that ends', async () => {
    const { atOnce, drain } = worker()
    const open = Promise.withResolvers<string>()
    const twenty = Array.from({ length: 20 }, () => atOnce.take('chat', 'sayTurn', () => open.promise))
    expect(await atOnce.take('chat', 'sayTurn', step)).toBeNull()
    open.resolve('taken')
    expect(new Set(await Promise.all(twenty))).toEqual(new Set(['taken']))
    expect(await atOnce.take('chat', 'sayTurn', step)).toBe('taken')
    drain.draining = true
    expect(await atOnce.take('chat', 'sayTurn', step)).toBeNull()
  })
})
