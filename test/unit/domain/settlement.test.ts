import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backOffMs } from '../../../src/domain/lib/back-off.ts'
import { abortedOutcome, type Outcome } from '../../../src/domain/message/outcome.ts'
import {
  classifyCall,
  classifyRecipients,
  isRepeatable,
  type TrySituation,
} from '../../../src/domain/message/settlement.ts'

const hourMs = 3_600_000
const people = (count: number) => Array.from({ length: count }, (_, n) => `person${n}`)

const first: TrySituation = {
  to: people(500),
  tries: 0,
  failingMs: 0,
  unclear: false,
  othersSucceed: false,
  general: false,
  persistent: false,
  probing: false,
}
const alone: TrySituation = { ...first, to: people(1) }
const unclear: TrySituation = { ...first, unclear: true, tries: 1, failingMs: 200 }
const general: TrySituation = { ...first, general: true }
const persistent: TrySituation = { ...general, persistent: true, tries: 9, failingMs: 70_000 }
const stuck = { tries: 6, failingMs: 70_000 }
const othersSucceed = { othersSucceed: true, ...stuck }

const accepted: Outcome = { kind: 'accepted' }
const refused: Outcome = { kind: 'refused', code: 'rejected' }
const cut: Outcome = { kind: 'unavailable', code: 'cut', certain: false }
const busy: Outcome = { kind: 'unavailable', code: 'http_408', certain: true }
const noConnection: Outcome = { kind: 'unavailable', code: 'no_connection', certain: true, general: true }
const unauthorised: Outcome = { kind: 'misconfigured', code: 'http_401' }
const grey: Outcome = { kind: 'deferred', code: 'greylisted' }

it('a limit of the account fails nobody of a batch of several, however long it lasts', () => {
  const limit: Outcome = { kind: 'quota', retryAfterMs: hourMs }
  const days = { ...othersSucceed, failingMs: 72 * hourMs }
  const { outcomes, next } = classifyRecipients([accepted, limit], { ...first, ...days, to: people(2) }, 0)
  expect({ outcomes, next }).toMatchObject({ outcomes: [{ state: 'sent' }, null], next: { afterMs: hourMs } })
  expect(classifyRecipients([limit], { ...alone, ...days }, 0)).toMatchObject({
    outcomes: [{ state: 'failed', reason: 'quota' }],
  })
})

describe('a try of an all-or-nothing call', () => {
  it.each<[string, TrySituation, Outcome, object]>([
    ['accepted', first, accepted, { outcomes: { state: 'sent' }, next: { do: 'end' }, answered: true }],
    ['accepted after an unclear try', unclear, accepted, { outcomes: { state: 'sent' } }],
    ['refused, no recipient named', first, refused, { next: { do: 'halve' }, answered: true, park: null }],
    ['refused for the only one', alone, refused, { outcomes: { state: 'failed', reason: 'rejected' } }],
    ['refused after an unclear try', unclear, refused, { next: { do: 'halve' } }],
    ['not connected', general, noConnection, { next: { do: 'wait', unclear: false }, park: null }],
    ['not connected for long', persistent, noConnection, { park: { problem: 'provider', gate: true } }],
    ['not connected after an unclear try', unclear, noConnection, { next: { do: 'wait', unclear: true } }],
    ['cut', first, cut, { next: { do: 'wait', unclear: true }, answered: false }],
    [
      'throttled',
      first,
      { kind: 'throttled', retryAfterMs: 7_000 },
      { next: { do: 'wait', afterMs: 7_000 }, restMs: 7_000, park: null },
    ],
    ['throttled after an unclear try', unclear, { kind: 'throttled' }, { next: { unclear: true } }],
    [
      'throttled with an absurdly long wait',
      first,
      { kind: 'throttled', retryAfterMs: 99_999_999_999_999_000 },
      { next: { afterMs: 300_000 }, restMs: 300_000 },
    ],
    ['monthly limit exhausted, one call', first, { kind: 'quota' }, { next: { do: 'wait' }, park: null }],
    [
      'monthly limit exhausted, two calls',
      general,
      { kind: 'quota' },
      { park: { problem: 'provider_quota', gate: true } },
    ],
    [
      'limit of the account with a reset, two calls',
      general,
      { kind: 'quota', retryAfterMs: 5 * hourMs },
      {
        next: { do: 'wait', afterMs: 5 * hourMs },
        park: { problem: 'provider_quota', gate: false, putOffMs: 5 * hourMs },
      },
    ],
    ['account rejected, one call', first, unauthorised, { next: { do: 'wait' }, park: null }],
    ['account rejected, two calls', general, unauthorised, { park: { problem: 'provider', gate: true } }],
    [
      'account rejected again while other calls succeed',
      { ...first, othersSucceed: true, tries: 1 },
      unauthorised,
      { next: { do: 'halve' }, park: null },
    ],
    [
      'account rejected for a single recipient while other calls succeed',
      { ...alone, othersSucceed: true, tries: 1 },
      unauthorised,
      { outcomes: { state: 'failed', reason: 'http_401' }, next: { do: 'end' }, answered: false },
    ],
    [
      'throttled repeatedly while other calls succeed',
      { ...first, ...othersSucceed },
      { kind: 'throttled', retryAfterMs: 1_000 },
      { next: { do: 'halve' }, restMs: null },
    ],
    [
      'throttled for a single recipient while other calls succeed',
      { ...alone, ...othersSucceed },
      { kind: 'throttled' },
      { next: { do: 'wait' }, restMs: null, park: { problem: 'provider', gate: false } },
    ],
    [
      'throttled for a single recipient for four hours',
      { ...alone, ...othersSucceed, failingMs: 4 * hourMs },
      { kind: 'throttled' },
      { outcomes: { state: 'failed', reason: 'throttled' } },
    ],
    [
      'unclear for long while other calls succeed',
      { ...first, ...othersSucceed },
      { ...cut, code: 'http_500', retryAfterMs: 60_000 },
      { next: { do: 'wait', unclear: true }, restMs: null, park: { gate: false } },
    ],
    [
      'no connection for a single recipient for four hours while other calls succeed',
      { ...alone, ...othersSucceed, failingMs: 4 * hourMs },
      noConnection,
      { next: { do: 'wait' } },
    ],
    [
      'a probe that fails often while no call succeeds',
      { ...general, ...stuck, probing: true },
      unauthorised,
      { next: { do: 'halve' }, park: { gate: true } },
    ],
    [
      'the only batch for a minute, while no other is tried',
      { ...first, ...stuck },
      busy,
      { next: { do: 'halve' }, park: { gate: false } },
    ],
    [
      'down, with a Retry-After',
      first,
      { ...cut, code: 'http_503', retryAfterMs: 60_000 },
      { next: { do: 'wait', unclear: true, afterMs: 60_000 }, restMs: 60_000 },
    ],
  ])('%s', (_, situation, outcome, settlement) => {
    expect(classifyCall(outcome, situation, 0)).toMatchObject(settlement)
  })

  it('fails only the recipients that the provider names', () => {
    const { outcomes, next } = classifyCall(
      { ...refused, failed: ['person1'] },
      { ...first, to: people(3) },
      0,
    )
    expect(outcomes).toEqual([null, { state: 'failed', reason: 'rejected' }, null])
    expect(next).toEqual({ do: 'call' })
  })

  it('has one outcome for all if no recipient is left', () => {
    const two = { ...first, to: people(2) }
    for (const situation of [two, alone])
      expect(classifyCall({ ...refused, failed: people(2) }, situation, 0)).toMatchObject({
        outcomes: { state: 'failed', reason: 'rejected' },
        next: { do: 'end' },
      })
    fc.assert(
      fc.property(outcomes, situations, (outcome, one) => {
        const { outcomes, next } = classifyCall(outcome, one, 0.5)
        expect(Array.isArray(outcomes)).toBe(next.do !== 'end')
      }),
    )
  })

  it('keeps key and members once a try was unclear, until the provider accepts or rejects', () => {
    fc.assert(
      fc.property(
        outcomes,
        situations,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (outcome, one, random) => {
          const { next } = classifyCall(outcome, { ...one, unclear: true }, random)
          if (outcome.kind === 'accepted' || outcome.kind === 'refused') expect(next.do).not.toBe('wait')
          else expect(next).toMatchObject({ do: 'wait', unclear: true })
        },
      ),
    )
  })

  it('is unclear only after a try that a recipient may have received', () => {
    fc.assert(
      fc.property(outcomes, situations, (outcome, one) => {
        const { next } = classifyCall(outcome, { ...one, unclear: false }, 0.5)
        const mayHaveArrived = outcome.kind === 'unavailable' && !outcome.certain
        if (next.do === 'wait') expect(next.unclear).toBe(mayHaveArrived)
      }),
    )
  })

  it('never retries before the provider’s wait has passed, within five minutes', () => {
    fc.assert(
      fc.property(fc.nat(600_000), situations, (retryAfterMs, one) => {
        for (const outcome of [
          { kind: 'throttled' as const, retryAfterMs },
          { ...cut, retryAfterMs },
        ]) {
          const { next, restMs } = classifyCall(
            outcome,
            { ...one, othersSucceed: false, probing: false, tries: 0 },
            0,
          )
          expect(next.do === 'wait' && next.afterMs).toBeGreaterThanOrEqual(Math.min(retryAfterMs, 300_000))
          expect(restMs).toBe(Math.min(retryAfterMs, 300_000))
        }
      }),
    )
  })

  it('never lets one batch decide for the channel while other calls succeed', () => {
    fc.assert(
      fc.property(failures, situations, (failure, one) => {
        const { park, restMs } = classifyCall(failure, { ...one, othersSucceed: true }, 0)
        expect(restMs).toBeNull()
        expect(park?.gate ?? false).toBe(false)
      }),
    )
  })

  it('caps waits that are longer than Postgres can store', () => {
    fc.assert(
      fc.property(outcomes, situations, (outcome, one) => {
        const { next } = classifyCall(outcome, one, 0.999)
        if (next.do === 'wait') expect(next.afterMs).toBeLessThanOrEqual(hourMs)
      }),
    )
  })

  it('repeats a key only while the provider certainly knows it', () => {
    expect(isRepeatable(23.9 * hourMs)).toBe(true)
    expect(isRepeatable(24 * hourMs)).toBe(false)
  })
})

describe('a try with an outcome for each recipient', () => {
  const three = { ...first, to: people(3) }
  const states = (results: Outcome[], situation = three, more = {}) => {
    const { outcomes } = classifyRecipients(results, situation, 0, more)
    return (outcomes as ({ state: string } | null)[]).map((outcome) => outcome?.state ?? null)
  }

  it('settles each recipient separately', () => {
    expect(states([accepted, refused, cut])).toEqual(['sent', 'failed', 'unknown'])
    expect(classifyRecipients([accepted, refused, cut], three, 0)).toMatchObject({
      next: { do: 'end' },
      park: null,
    })
  })

  it('defers greylisted recipients, and fails them after four hours', () => {
    const { next } = classifyRecipients([accepted, { ...grey, retryAfterMs: 300_000 }, refused], three, 0)
    expect(next).toMatchObject({ do: 'wait', afterMs: 300_000, code: 'greylisted', untried: [] })
    expect(states([grey], { ...alone, failingMs: 4 * hourMs })).toEqual(['failed'])
  })

  it('attributes a failure to its recipient while other mails are accepted', () => {
    const settlement = classifyRecipients([accepted, busy, abortedOutcome], three, 0)
    expect(settlement).toMatchObject({ answered: true, park: null, restMs: null, next: { untried: [2] } })
    expect(states([busy], { ...alone, ...othersSucceed, failingMs: 4 * hourMs })).toEqual(['failed'])
    expect(states([busy], { ...alone, ...stuck, failingMs: 4 * hourMs })).toEqual([null])
  })

  it('tries the others at once after a recipient for whom the server failed', () => {
    expect(classifyRecipients([busy, abortedOutcome, abortedOutcome], three, 0)).toMatchObject({
      ...{ answered: false, park: null, restMs: null },
      next: { do: 'wait', untried: [1, 2] },
    })
  })

  it('defers all recipients after a failure for two of them', () => {
    const throttled: Outcome = { kind: 'throttled', retryAfterMs: 2_000 }
    expect(
      classifyRecipients([throttled, throttled, abortedOutcome], { ...three, general: true }, 0),
    ).toMatchObject({
      ...{ restMs: 2_000, next: { do: 'wait', afterMs: 2_000, untried: [] } },
    })
    const ours: Outcome = { kind: 'misconfigured', code: 'smtp_535', general: true }
    expect(
      classifyRecipients([ours, abortedOutcome, abortedOutcome], { ...three, general: true }, 0).park,
    ).toEqual({
      ...{ problem: 'provider', gate: true },
    })
  })

  it('lets a parked wave continue after any answer, even if the connection is lost afterwards', () => {
    const probe = { ...three, probing: true }
    expect(classifyRecipients([accepted, noConnection, abortedOutcome], probe, 0)).toMatchObject({
      answered: true,
      park: null,
    })
    expect(classifyRecipients([noConnection, abortedOutcome, abortedOutcome], probe, 0)).toMatchObject({
      park: { gate: true },
    })
  })

  it('leaves mail that may have arrived before unknown, unless it is accepted', () => {
    expect(states([accepted, refused, cut], three, { repeats: true })).toEqual(['sent', 'unknown', 'unknown'])
  })

  it('settles every recipient or retries them, for all outcomes', () => {
    fc.assert(
      fc.property(fc.array(outcomes, { minLength: 1, maxLength: 8 }), situations, (list, one) => {
        const { outcomes, next } = classifyRecipients(list, { ...one, to: people(list.length) }, 0.5)
        const left = (outcomes as unknown[]).filter((fate) => fate === null).length
        expect(next.do).toBe(left === 0 ? 'end' : 'wait')
        if (next.do === 'wait') expect(next.afterMs).toBeLessThanOrEqual(hourMs)
      }),
    )
  })
})

it('a back-off grows each time, with jitter, up to its limit', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.double({ min: 0, max: 0.999, noNaN: true }), (tries, random) => {
      const delay = backOffMs(tries, random, 5_000)
      expect(delay).toBeGreaterThanOrEqual(100)
      expect(delay).toBeLessThanOrEqual(5_000)
      expect(backOffMs(tries + 1, random, 5_000)).toBeGreaterThanOrEqual(delay)
    }),
  )
})

const retryAfterMs = fc.option(fc.nat(2 ** 31 - 1), { nil: undefined })
const failures = fc.oneof(
  fc.record({ kind: fc.constant('throttled' as const), retryAfterMs }),
  fc.constant({ kind: 'quota' as const }),
  fc.record({
    kind: fc.constant('unavailable' as const),
    code: fc.constant('http_500'),
    certain: fc.boolean(),
    retryAfterMs,
  }),
  fc.record({
    kind: fc.constant('misconfigured' as const),
    code: fc.constantFrom('http_401', 'http_403', 'http_404'),
  }),
) as fc.Arbitrary<Outcome>
const outcomes: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constant({ kind: 'accepted' as const }),
  fc.record({
    kind: fc.constant('refused' as const),
    code: fc.constant('rejected'),
    failed: fc.array(fc.string({ minLength: 1 })),
  }),
  failures,
)
const situations: fc.Arbitrary<TrySituation> = fc.record({
  to: fc.integer({ min: 1, max: 500 }).map(people),
  tries: fc.nat(50),
  failingMs: fc.nat(5 * hourMs),
  unclear: fc.boolean(),
  othersSucceed: fc.boolean(),
  general: fc.boolean(),
  persistent: fc.boolean(),
  probing: fc.boolean(),
})
