import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { delayMs, isRepeatable, judge, type Outcome, type Tried } from '../../../src/domain/outcome.ts'

const fresh: Tried = { recipients: 500, unclear: false, tries: 0 }
const unclear: Tried = { ...fresh, unclear: true, tries: 1 }
const alone: Tried = { ...fresh, recipients: 1 }

const cut: Outcome = { kind: 'unavailable', code: 'cut', certain: false }
const noConnection: Outcome = { kind: 'unavailable', code: 'no_connection', certain: true }

describe('what a try of a call means', () => {
  it.each<[string, Tried, Outcome, object]>([
    ['accepted', fresh, { kind: 'accepted' }, { do: 'accept' }],
    ['accepted after an unclear try', unclear, { kind: 'accepted' }, { do: 'accept' }],
    [
      'refused, somebody named',
      fresh,
      { kind: 'refused', code: 'invalid_recipient', failed: ['x'] },
      { do: 'fail', failed: ['x'], code: 'invalid_recipient' },
    ],
    [
      'refused, nobody named',
      fresh,
      { kind: 'refused', code: 'rejected' },
      { do: 'halve', code: 'rejected' },
    ],
    ['refused for the only one', alone, { kind: 'refused', code: 'rejected' }, { do: 'failAll' }],
    ['refused after an unclear try', unclear, { kind: 'refused', code: 'rejected' }, { do: 'halve' }],
    ['not connected', fresh, noConnection, { do: 'again', unclear: false, trouble: 'down' }],
    ['not connected after an unclear try', unclear, noConnection, { do: 'again', unclear: true }],
    ['cut', fresh, cut, { do: 'again', unclear: true, trouble: 'down' }],
    [
      'too fast',
      fresh,
      { kind: 'throttled', retryAfterMs: 7_000 },
      { do: 'again', unclear: false, afterMs: 7_000, restMs: 7_000, trouble: null },
    ],
    ['too fast after an unclear try', unclear, { kind: 'throttled' }, { do: 'again', unclear: true }],
    [
      'the month used up',
      fresh,
      { kind: 'quota' },
      { do: 'again', unclear: false, trouble: 'provider_quota' },
    ],
    [
      'set up wrongly',
      fresh,
      { kind: 'misconfigured', status: 401 },
      { do: 'again', unclear: false, code: 'http_401', trouble: 'provider' },
    ],
    [
      'down, with a time to come back',
      fresh,
      { ...cut, code: 'http_503', retryAfterMs: 60_000 },
      { do: 'again', unclear: true, afterMs: 60_000, restMs: 60_000 },
    ],
  ])('%s', (_, call, outcome, verdict) => {
    expect(judge(outcome, call, 0)).toMatchObject(verdict)
  })

  it('keeps key and members once a try was unclear, until the provider accepts or refuses', () => {
    fc.assert(
      fc.property(
        outcomes,
        tried,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (outcome, call, random) => {
          const verdict = judge(outcome, { ...call, unclear: true }, random)
          if (outcome.kind === 'accepted' || outcome.kind === 'refused') expect(verdict.do).not.toBe('again')
          else expect(verdict).toMatchObject({ do: 'again', unclear: true })
        },
      ),
    )
  })

  it('forgets tries that nobody can have received', () => {
    fc.assert(
      fc.property(outcomes, tried, (outcome, call) => {
        const verdict = judge(outcome, { ...call, unclear: false }, 0.5)
        const doubtful = outcome.kind === 'unavailable' && !outcome.certain
        if (verdict.do === 'again') expect(verdict.unclear).toBe(doubtful)
      }),
    )
  })

  it('never comes back before the provider asked', () => {
    fc.assert(
      fc.property(fc.nat(600_000), tried, (retryAfterMs, call) => {
        for (const outcome of [
          { kind: 'throttled' as const, retryAfterMs },
          { ...cut, retryAfterMs },
        ]) {
          const verdict = judge(outcome, call, 0)
          expect(verdict.do === 'again' && verdict.afterMs).toBeGreaterThanOrEqual(retryAfterMs)
          expect(verdict).toMatchObject({ restMs: retryAfterMs })
        }
      }),
    )
  })

  it('waits longer each time, with jitter, and never for more than five seconds', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.double({ min: 0, max: 0.999, noNaN: true }), (tries, random) => {
        const delay = delayMs(tries, random)
        expect(delay).toBeGreaterThanOrEqual(100)
        expect(delay).toBeLessThanOrEqual(5_000)
        expect(delayMs(tries + 1, random)).toBeGreaterThanOrEqual(delay)
      }),
    )
  })

  it('repeats a key for as long as the provider surely knows it', () => {
    expect(isRepeatable(23.9 * 3_600_000)).toBe(true)
    expect(isRepeatable(24 * 3_600_000)).toBe(false)
  })
})

const retryAfterMs = fc.option(fc.nat(60_000), { nil: undefined })
const outcomes: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constant({ kind: 'accepted' as const }),
  fc.record({
    kind: fc.constant('refused' as const),
    code: fc.constant('rejected'),
    failed: fc.array(fc.string({ minLength: 1 })),
  }),
  fc.record({ kind: fc.constant('throttled' as const), retryAfterMs }),
  fc.constant({ kind: 'quota' as const }),
  fc.record({
    kind: fc.constant('unavailable' as const),
    code: fc.constant('http_500'),
    certain: fc.boolean(),
    retryAfterMs,
  }),
  fc.record({ kind: fc.constant('misconfigured' as const), status: fc.constantFrom(401, 403, 404) }),
)
const tried: fc.Arbitrary<Tried> = fc.record({
  recipients: fc.integer({ min: 1, max: 500 }),
  unclear: fc.boolean(),
  tries: fc.nat(50),
})
