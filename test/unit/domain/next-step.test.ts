import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageStates, waveStates } from '../../../src/contract/enums.ts'
import { decideNextStep, type MessageFacts, type WaveFacts } from '../../../src/domain/message/next-step.ts'

const now = Date.parse('2026-11-21T09:00:00Z')
const minute = 60_000

function facts(some: Partial<MessageFacts>): MessageFacts {
  return {
    ...{ state: 'approved', closed: false, scheduleAt: null, expiresAt: null, remindAt: null, quiet: null },
    ...{ holdUntil: null, paced: false, planned: { chat: 2_000 }, stepParked: null, wave: null },
    ...some,
  }
}

function wave(some: Partial<WaveFacts>): WaveFacts {
  return {
    id: 'w1',
    state: 'sending',
    written: true,
    quotaDueAt: null,
    parked: null,
    skipRemaining: false,
    open: {},
    ...some,
  }
}

describe('what a run does next', () => {
  it.each([
    ['draft', 'submission'],
    ['submitted', 'approval'],
    ['paused', 'resume'],
  ] as const)('waits for a person while the message is %s', (state, what) => {
    expect(decideNextStep(facts({ state }), now)).toEqual({ do: 'wait', for: what, until: null, ms: null })
  })

  it.each(['draft', 'submitted', 'paused', 'approved'] as const)(
    'expires a message that is %s at its expiry',
    (state) => {
      expect(decideNextStep(facts({ state, expiresAt: now }), now)).toEqual({ do: 'expireMessage' })
    },
  )

  it('starts when both its time has come and its category no longer holds it', () => {
    const started = (scheduleAt: number | null, holdUntil: number | null) =>
      decideNextStep(facts({ scheduleAt, holdUntil }), now)
    const waits = { do: 'wait', for: 'send time', until: '2026-11-21T09:01:00.000Z', ms: minute }
    const open: [number | null, number][] = [
      [null, now + minute],
      [now - minute, now + minute],
      [now + minute, now - minute],
    ]
    for (const [scheduleAt, holdUntil] of open) expect(started(scheduleAt, holdUntil)).toEqual(waits)
    expect(started(now, now)).toEqual({ do: 'resolveAudience' })
    expect(decideNextStep(facts({ state: 'sent', remindAt: now, holdUntil: now + minute }), now).do).not.toBe(
      'wait',
    )
  })

  it('wakes for the expiry of an unapproved message', () => {
    const next = decideNextStep(facts({ state: 'submitted', expiresAt: now + minute }), now)
    expect(next).toEqual({ do: 'wait', for: 'approval', until: '2026-11-21T09:01:00.000Z', ms: minute })
  })

  it('waits for the send time, and not a millisecond less', () => {
    const approved = facts({ scheduleAt: now + 1 })
    expect(decideNextStep(approved, now)).toMatchObject({ do: 'wait', for: 'send time', ms: 1 })
    expect(decideNextStep(approved, now + 1)).toEqual({ do: 'resolveAudience' })
  })

  it('starts an approved message without a send time at once', () => {
    expect(decideNextStep(facts({}), now)).toEqual({ do: 'resolveAudience' })
  })

  it('waits for the end of quiet hours before it starts, and expires during them', () => {
    const quiet = { hours: { from: '16:00', to: '18:00' }, timeZone: 'Asia/Taipei' } // now is 17:00 there
    const end = Date.parse('2026-11-21T10:00:00Z')
    expect(decideNextStep(facts({ quiet }), now)).toMatchObject({
      do: 'wait',
      for: 'quiet hours',
      ms: end - now,
    })
    expect(decideNextStep(facts({ quiet, expiresAt: now + minute }), now)).toMatchObject({
      do: 'wait',
      ms: minute,
    })
    expect(decideNextStep(facts({ quiet, expiresAt: now + minute }), now + minute)).toEqual({
      do: 'expireMessage',
    })
    expect(decideNextStep(facts({ quiet }), end)).toEqual({ do: 'resolveAudience' })
    const reminder = facts({ state: 'sent', quiet, remindAt: now, wave: wave({ state: 'waiting' }) })
    expect(decideNextStep(reminder, now)).toMatchObject({ do: 'wait', for: 'quiet hours' })
  })

  it('sends up to 500 recipients on one channel in one step', () => {
    const plan = (planned: MessageFacts['planned']) => decideNextStep(facts({ planned }), now).do
    expect(plan({ chat: 500 })).toBe('sendInOneStep')
    expect(plan({ chat: 500, email: 0 })).toBe('sendInOneStep')
    expect(plan({ chat: 501 })).toBe('resolveAudience')
    expect(plan({ chat: 1, email: 1 })).toBe('resolveAudience')
    expect(plan({})).toBe('resolveAudience')
  })

  it('writes the rows of a wave before it sends', () => {
    const next = decideNextStep(facts({ state: 'sending', wave: wave({ written: false }) }), now)
    expect(next).toEqual({ do: 'resolveAudience' })
  })

  it('reserves quota for the rows before it sends, and where another month has begun', () => {
    const open = { chat: { free: 3, freeAt: null } }
    const unreserved = facts({ state: 'sending', wave: wave({ open, quotaDueAt: now }) })
    expect(decideNextStep(unreserved, now)).toEqual({ do: 'reserveQuota' })
  })

  it('sends with no more lanes than there are batches to claim', () => {
    const open = { chat: { free: 3, freeAt: null }, email: { free: 0, freeAt: now + 1 } }
    const next = decideNextStep(facts({ state: 'sending', wave: wave({ open }) }), now)
    expect(next).toEqual({ do: 'sendWave', waveId: 'w1', lanes: { chat: 3 } })
  })

  it('goes on with a small wave whose step was interrupted, instead of waiting for its lease', () => {
    const open = { chat: { free: 0, freeAt: now + 5_000, interrupted: true } }
    const next = decideNextStep(facts({ state: 'sending', wave: wave({ open }) }), now)
    expect(next).toEqual({ do: 'sendInOneStep', channel: 'chat' })
  })

  it('waits until the first batch may be claimed', () => {
    const open = { chat: { free: 0, freeAt: now + 2_000 }, email: { free: 0, freeAt: now + 1_000 } }
    const next = decideNextStep(facts({ state: 'sending', wave: wave({ open }) }), now)
    expect(next).toMatchObject({ do: 'wait', for: 'provider', ms: 1_000 })
  })

  it('finishes a wave without open batches, and one that has expired', () => {
    const open = { chat: { free: 1, freeAt: null } }
    expect(decideNextStep(facts({ state: 'sending', wave: wave({}) }), now)).toEqual({ do: 'finishWave' })
    expect(decideNextStep(facts({ state: 'sending', wave: wave({ open }), expiresAt: now }), now)).toEqual({
      do: 'finishWave',
    })
  })

  it.each(['rejected', 'cancelled', 'stopped', 'expired', 'sent', 'failed'] as const)(
    'closes a message that is %s, then ends',
    (state) => {
      expect(decideNextStep(facts({ state }), now)).toEqual({ do: 'finishWave' })
      expect(decideNextStep(facts({ state, closed: true }), now)).toEqual({ do: 'end' })
    },
  )

  it('stays open for a pending reminder, and sends it like the first wave', () => {
    const reminding = (some: Partial<WaveFacts>) =>
      facts({ state: 'sent', remindAt: now + minute, wave: wave({ state: 'waiting', ...some }) })
    const waits = reminding({ written: false })
    expect(decideNextStep(waits, now)).toMatchObject({ do: 'wait', for: 'reminder time', ms: minute })
    expect(decideNextStep(waits, now + minute)).toEqual({ do: 'resolveAudience' })
    expect(decideNextStep({ ...waits, planned: { chat: 3 } }, now + minute)).toEqual({
      do: 'sendInOneStep',
      channel: 'chat',
    })
    expect(decideNextStep(reminding({ state: 'sending', written: false }), now)).toEqual({
      do: 'resolveAudience',
    })
    expect(decideNextStep(reminding({ state: 'paused' }), now)).toMatchObject({ do: 'wait', for: 'resume' })
    expect(decideNextStep(reminding({ state: 'sending' }), now)).toEqual({ do: 'finishWave' })
  })

  it.each(['sent', 'cancelled', 'stopped', 'expired', 'missed'] as const)(
    'closes a sent message whose reminder is %s',
    (state) => {
      expect(decideNextStep(facts({ state: 'sent', wave: wave({ state }) }), now)).toEqual({
        do: 'finishWave',
      })
    },
  )

  it('expires a reminder that waits or is paused past the expiry', () => {
    for (const state of ['waiting', 'paused'] as const)
      expect(decideNextStep(facts({ state: 'sent', expiresAt: now, wave: wave({ state }) }), now)).toEqual({
        do: 'expireMessage',
      })
  })

  it('returns what a parked wave waits for, and finishes one that is skipped', () => {
    const open = { chat: { free: 0, freeAt: now + minute } }
    const parked = (some: Partial<WaveFacts>) =>
      decideNextStep(facts({ state: 'sending', wave: wave({ open, ...some }) }), now)
    const short = { parked: 'quota', quotaDueAt: now + minute } as const
    expect(parked(short)).toMatchObject({ do: 'wait', for: 'quota', ms: minute })
    expect(parked({ ...short, quotaDueAt: now })).toEqual({ do: 'reserveQuota' })
    expect(parked({ parked: 'provider' })).toMatchObject({ do: 'wait', for: 'provider' })
    expect(parked({ ...short, skipRemaining: true })).toEqual({ do: 'finishWave' })
  })
})

describe('a run whose step kept failing', () => {
  const stuck = (some: Partial<MessageFacts> = {}) =>
    facts({ stepParked: { at: now - minute, until: now + 59 * minute }, ...some })
  const next = (row: MessageFacts, at = now) => decideNextStep(row, at)

  it('waits, whatever the step is, and then tries it again', () => {
    for (const state of ['approved', 'sending', 'submitted'] as const)
      expect(next(stuck({ state }))).toMatchObject({ do: 'wait', for: 'retry', ms: 59 * minute })
    expect(next(stuck(), now + 59 * minute)).toEqual({ do: 'resolveAudience' })
    expect(next(facts({}))).toEqual({ do: 'resolveAudience' })
  })

  it('wakes to expire in between, but does not try that again and again', () => {
    expect(next(stuck({ expiresAt: now + minute }))).toMatchObject({ for: 'retry', ms: minute })
    expect(next(stuck({ expiresAt: now }))).toEqual({ do: 'expireMessage' })
    expect(next(stuck({ expiresAt: now - 2 * minute }))).toMatchObject({ for: 'retry', ms: 59 * minute })
  })

  it('ends when the message is closed', () => {
    expect(next(stuck({ closed: true }))).toEqual({ do: 'end' })
  })
})

describe('a message with a pace', () => {
  const paced = (some: Partial<MessageFacts>) =>
    decideNextStep(facts({ state: 'sending', paced: true, ...some }), now)
  const open = wave({ open: { chat: { free: 0, freeAt: now + 6_000 } } })

  it('is not sent in one step, however small it is', () => {
    expect(paced({ state: 'approved', planned: { chat: 3 } })).toEqual({ do: 'resolveAudience' })
  })

  it('waits for its next batch', () => {
    expect(paced({ wave: open })).toMatchObject({ do: 'wait', for: 'pace', ms: 6_000 })
    expect(paced({ wave: { ...open, parked: 'provider' } })).toMatchObject({ for: 'provider' })
  })

  it('rests in quiet hours, and one without does not', () => {
    const quiet = { hours: { from: '16:55', to: '17:05' }, timeZone: 'Asia/Taipei' }
    const due = wave({ open: { chat: { free: 2, freeAt: null } } })
    expect(paced({ wave: due, quiet })).toMatchObject({ do: 'wait', for: 'quiet hours', ms: 5 * minute })
    expect(paced({ wave: due, quiet, paced: false })).toMatchObject({ do: 'sendWave' })
    expect(paced({ wave: { ...due, skipRemaining: true }, quiet })).toEqual({ do: 'finishWave' })
  })
})

describe('at any time, for any row', () => {
  const moment = fc.integer({ min: now - 10 * minute, max: now + 10 * minute })
  const anyFacts: fc.Arbitrary<MessageFacts> = fc.record({
    state: fc.constantFrom(...messageStates),
    closed: fc.boolean(),
    scheduleAt: fc.option(moment),
    holdUntil: fc.option(moment),
    expiresAt: fc.option(moment),
    remindAt: fc.option(moment),
    paced: fc.boolean(),
    quiet: fc.option(fc.constant({ hours: { from: '16:55', to: '17:05' }, timeZone: 'Asia/Taipei' })),
    planned: fc.record({ chat: fc.nat(2_000), email: fc.nat(2_000) }, { requiredKeys: [] }),
    stepParked: fc.option(fc.record({ at: moment, until: moment })),
    wave: fc.option(
      fc.record({
        id: fc.constant('w1'),
        state: fc.constantFrom(...waveStates),
        written: fc.boolean(),
        quotaDueAt: fc.option(moment),
        parked: fc.option(fc.constantFrom('provider' as const, 'provider_quota' as const, 'quota' as const)),
        skipRemaining: fc.boolean(),
        open: fc.record(
          { chat: fc.record({ free: fc.nat(9), freeAt: fc.option(moment) }) },
          { requiredKeys: [] },
        ),
      }),
    ),
  })

  it('never starts before the send time, nor at or after the expiry', () => {
    fc.assert(
      fc.property(anyFacts, moment, (row, at) => {
        const next = decideNextStep(row, at).do
        const begins = next === 'resolveAudience' || next === 'sendInOneStep'
        const goesOn = next === 'reserveQuota' || next === 'sendWave'
        const due = row.state === 'sent' ? row.remindAt : row.scheduleAt
        if (begins && due !== null) expect(at).toBeGreaterThanOrEqual(due)
        if ((begins || goesOn) && row.expiresAt !== null) expect(at).toBeLessThan(row.expiresAt)
      }),
    )
  })

  it('never sleeps through an expiry, and never into the past', () => {
    fc.assert(
      fc.property(anyFacts, moment, (row, at) => {
        const next = decideNextStep(row, at)
        if (next.do !== 'wait') return
        const expiryFailed = row.expiresAt !== null && (row.stepParked?.at ?? 0) >= row.expiresAt
        if (row.expiresAt !== null && !['provider', 'quota'].includes(next.for) && !expiryFailed) {
          expect(next.ms).not.toBeNull()
          expect(at + next.ms!).toBeLessThanOrEqual(row.expiresAt)
        }
        if (next.ms !== null) {
          expect(next.ms).toBeGreaterThanOrEqual(0)
          expect(next.ms).toBe(Math.max(Date.parse(next.until!) - at, 0))
        }
      }),
    )
  })

  it('ends only what is closed', () => {
    fc.assert(
      fc.property(anyFacts, moment, (row, at) => {
        expect(decideNextStep(row, at).do === 'end').toBe(row.closed)
      }),
    )
  })
})
