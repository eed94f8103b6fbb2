import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { statsOf } from '../../../src/domain/message/stats.ts'

const none = { expected: null, sent: 0, failed: 0, unknown: 0, skipped: {}, byChannel: {}, people: null }

describe('the numbers of a wave', () => {
  it('count as pending what was expected and has no outcome yet', () => {
    const counters = { expected: 10, sent: 3, failed: 1, unknown: 1, skipped: { noConsent: 2, blocked: 1 } }
    const counts = { ...none, ...counters, byChannel: { chat: counters } }
    expect(statsOf(counts, 'all')).toMatchObject({ pending: 2, byChannel: { chat: { pending: 2 } } })
  })

  it('are zero before its rows are written', () => {
    expect(statsOf(none, 'first_available')).toEqual({
      ...{ sent: 0, failed: 0, unknown: 0, skipped: {}, pending: 0, byChannel: {} },
      people: { reached: 0, unknown: 0, failed: 0, skipped: 0, pending: 0 },
    })
  })
})

describe('the people of a wave', () => {
  const chat = { expected: 6, sent: 3, failed: 0, unknown: 0, skipped: { noConsent: 1, fallback: 2 } }
  const email = { expected: 2, sent: 1, failed: 1, unknown: 0, skipped: {} }
  const both = {
    ...none,
    ...{ expected: 8, sent: 4, failed: 1, skipped: { noConsent: 1, fallback: 2 } },
    byChannel: { chat, email },
  }

  it('who fell back to another channel count once', () => {
    expect(statsOf(both, 'first_available').people).toEqual({
      ...{ reached: 4, unknown: 0, failed: 1, skipped: 1, pending: 0 },
    })
  })

  it('are unknown while each may get several deliveries, and counted at the end', () => {
    expect(statsOf(both, 'all').people).toBeNull()
    const people = { reached: 3, unknown: 0, failed: 1, skipped: 1 }
    expect(statsOf({ ...both, people }, 'all').people).toEqual({ ...people, pending: 0 })
    const onlyChat = { ...both, byChannel: { chat, email: { ...email, expected: 0 } } }
    expect(statsOf(onlyChat, 'all').people).not.toBeNull()
  })

  it('with one delivery each are as many as there are deliveries', () => {
    const n = fc.nat(1_000)
    fc.assert(
      fc.property(n, n, n, n, n, (sent, failed, unknown, blocked, pending) => {
        const skipped = { blocked }
        const expected = sent + failed + unknown + blocked + pending
        const counters = { expected, sent, failed, unknown, skipped }
        const { people } = statsOf({ ...none, ...counters, byChannel: { chat: counters } }, 'all')
        expect(Object.values(people!).reduce((sum, count) => sum + count, 0)).toBe(expected)
      }),
    )
  })
})
