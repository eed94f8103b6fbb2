import { describe, expect, it } from 'vitest'
import { statsOf } from '../../../src/domain/stats.ts'

describe('the numbers of a wave', () => {
  it('count as pending what was expected and has no outcome yet', () => {
    const counters = { expected: 10, sent: 3, failed: 1, unknown: 1, skipped: { noConsent: 2, blocked: 1 } }
    expect(statsOf(counters, { chat: counters })).toMatchObject({
      pending: 2,
      byChannel: { chat: { pending: 2 } },
    })
  })

  it('are zero before its rows are written', () => {
    const counters = { expected: null, sent: 0, failed: 0, unknown: 0, skipped: {} }
    expect(statsOf(counters, {})).toEqual({
      sent: 0,
      failed: 0,
      unknown: 0,
      skipped: {},
      pending: 0,
      byChannel: {},
    })
  })
})
