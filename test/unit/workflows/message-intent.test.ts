import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageStates, waveStates } from '../../../src/contract/enums.ts'
import {
  messageFacts,
  nextLook,
  type StoredMessage,
  type StoredWave,
} from '../../../src/domain/message/run-facts.ts'
import { decide } from '../../fixtures/stages.ts'

/** The stages of the workflow itself, at each row and moment: what is done is named, and what is waited for. */

const now = Date.parse('2026-11-21T09:00:00Z')
const minute = 60_000

function facts(some: Partial<StoredMessage>): StoredMessage {
  return {
    ...{ state: 'approved', scheduleAt: null, expiresAt: null, remindAt: null, quiet: null },
    ...{ holdUntil: null, paced: false, planned: { chat: 2_000 }, stepParked: null, wave: null },
    ...some,
  }
}

function wave(some: Partial<StoredWave>): StoredWave {
  return {
    ...{ id: 'w1', state: 'sending', written: true, quotaDueAt: null, parked: null, probes: false },
    ...{ skipRemaining: false, open: {} },
    ...some,
  }
}

/** What the run does with such a message. */
const does = (some: Partial<StoredMessage>, at = now) => decide(facts(some), at)
const step = (name: string) => ({ do: name })

describe('what a run does next', () => {
  it.each([
    ['draft', 'its submission'],
    ['submitted', 'an approval'],
    ['paused', 'a person to resume it'],
  ] as const)('waits for a person while the message is %s', async (state, what) => {
    expect(await does({ state })).toEqual({ wait: what, until: null })
    expect(await does({ state, expiresAt: now + minute })).toEqual({ wait: what, until: now + minute })
  })

  it.each(['draft', 'submitted', 'paused', 'approved'] as const)(
    'expires a message that is %s at its expiry',
    async (state) => {
      expect(await does({ state, expiresAt: now })).toEqual(step('expireMessage'))
    },
  )

  it('starts when both its time has come and its category no longer holds it', async () => {
    const waits = { wait: 'its send time', until: now + minute }
    expect(await does({ scheduleAt: null, holdUntil: now + minute })).toEqual(waits)
    expect(await does({ scheduleAt: now - minute, holdUntil: now + minute })).toEqual(waits)
    expect(await does({ scheduleAt: now + minute, holdUntil: now - minute })).toEqual(waits)
    expect(await does({ scheduleAt: now, holdUntil: now })).toEqual(step('resolveAudience'))
    expect(await does({ state: 'sent', remindAt: now, holdUntil: now + minute })).not.toHaveProperty('wait')
  })

  it('waits for the send time, and not a millisecond less', async () => {
    expect(await does({ scheduleAt: now + 1 })).toEqual({ wait: 'its send time', until: now + 1 })
    expect(await does({ scheduleAt: now + 1 }, now + 1)).toEqual(step('resolveAudience'))
  })

  it('starts an approved message without a send time at once', async () => {
    expect(await does({})).toEqual(step('resolveAudience'))
  })

  it('waits for the end of quiet hours before it starts, and expires during them', async () => {
    const quiet = { hours: { from: '16:00', to: '18:00' }, timeZone: 'Asia/Taipei' } // now is 17:00 there
    const end = Date.parse('2026-11-21T10:00:00Z')
    const rests = (until: number) => ({ wait: 'the end of the quiet hours', until })
    expect(await does({ quiet })).toEqual(rests(end))
    expect(await does({ quiet, expiresAt: now + minute })).toEqual(rests(now + minute))
    expect(await does({ quiet, expiresAt: now + minute }, now + minute)).toEqual(step('expireMessage'))
    expect(await does({ quiet }, end)).toEqual(step('resolveAudience'))
    expect(await does({ quiet, planned: { chat: 1 } })).toEqual(rests(end))
    const reminder = { state: 'sent', quiet, remindAt: now, wave: wave({ state: 'waiting' }) } as const
    expect(await does(reminder)).toEqual(rests(end))
  })

  it('sends up to 500 recipients on one channel in one step', async () => {
    const plan = (planned: StoredMessage['planned']) => does({ planned })
    expect(await plan({ chat: 500 })).toEqual(step('sendSmallWave'))
    expect(await plan({ chat: 500, email: 0 })).toEqual(step('sendSmallWave'))
    expect(await plan({ chat: 501 })).toEqual(step('resolveAudience'))
    expect(await plan({ chat: 1, email: 1 })).toEqual(step('resolveAudience'))
    expect(await plan({})).toEqual(step('resolveAudience'))
  })

  it('resolves the audience of a wave, then reserves its quota, before it sends', async () => {
    const sending = (some: Partial<StoredWave>) => does({ state: 'sending', wave: wave(some) })
    const open = { chat: { free: 3, freeAt: null } }
    expect(await sending({ written: false })).toEqual(step('resolveAudience'))
    expect(await sending({ open, quotaDueAt: now })).toEqual(step('reserveQuota'))
    expect(await sending({ open })).toEqual({ do: 'sendWave', lanes: { chat: 3 } })
  })

  it('sends with no more lanes than there are batches to claim', async () => {
    const open = { chat: { free: 3, freeAt: null }, email: { free: 0, freeAt: now + 1 } }
    const many = { chat: { free: 9, freeAt: null } }
    expect(await does({ state: 'sending', wave: wave({ open }) })).toEqual({
      do: 'sendWave',
      lanes: { chat: 3 },
    })
    expect(await does({ state: 'sending', wave: wave({ open: many }) })).toEqual({
      do: 'sendWave',
      lanes: { chat: 4 },
    })
  })

  it('goes on with a small wave whose step was interrupted, instead of waiting for its lease', async () => {
    const open = { chat: { free: 0, freeAt: now + 5_000, interrupted: true } }
    expect(await does({ state: 'sending', wave: wave({ open }) })).toEqual(step('sendSmallWave'))
  })

  it('waits until the first batch may be claimed', async () => {
    const open = { chat: { free: 0, freeAt: now + 2_000 }, email: { free: 0, freeAt: now + 1_000 } }
    expect(await does({ state: 'sending', wave: wave({ open }) })).toEqual({
      wait: 'the provider',
      until: now + 1_000,
    })
  })

  it('finishes a wave without open batches, and one that has expired', async () => {
    const open = { chat: { free: 1, freeAt: null } }
    expect(await does({ state: 'sending', wave: wave({}) })).toEqual(step('finishWave'))
    expect(await does({ state: 'sending', wave: wave({ open }), expiresAt: now })).toEqual(step('finishWave'))
  })

  it.each(['rejected', 'cancelled', 'stopped', 'expired', 'sent', 'failed'] as const)(
    'closes a message that is %s',
    async (state) => {
      expect(await does({ state })).toEqual(step('finishWave'))
    },
  )

  it('stays open for a pending reminder, and sends it like the first wave', async () => {
    const reminding = (some: Partial<StoredWave>): Partial<StoredMessage> => ({
      ...{ state: 'sent', remindAt: now + minute },
      wave: wave({ state: 'waiting', written: false, ...some }),
    })
    const waits = reminding({})
    expect(await does(waits)).toEqual({ wait: 'the time of its reminder', until: now + minute })
    expect(await does(waits, now + minute)).toEqual(step('resolveAudience'))
    expect(await does({ ...waits, planned: { chat: 3 } }, now + minute)).toEqual(step('sendSmallWave'))
    expect(await does(reminding({ state: 'sending' }))).toEqual(step('resolveAudience'))
    expect(await does(reminding({ state: 'paused' }))).toMatchObject({ wait: 'a person to resume it' })
    expect(await does(reminding({ state: 'sending', written: true }))).toEqual(step('finishWave'))
  })

  it.each(['sent', 'cancelled', 'stopped', 'expired', 'missed'] as const)(
    'closes a sent message whose reminder is %s',
    async (state) => {
      expect(await does({ state: 'sent', wave: wave({ state }) })).toEqual(step('finishWave'))
    },
  )

  it('expires a reminder that waits or is paused past the expiry', async () => {
    for (const state of ['waiting', 'paused'] as const)
      expect(await does({ state: 'sent', expiresAt: now, wave: wave({ state }) })).toEqual(
        step('expireMessage'),
      )
  })

  it('waits with a parked wave, and finishes one that is skipped', async () => {
    const open = { chat: { free: 0, freeAt: now + minute } }
    const parked = (some: Partial<StoredWave>) => does({ state: 'sending', wave: wave({ open, ...some }) })
    const short = { parked: 'quota', quotaDueAt: now + minute } as const
    expect(await parked(short)).toEqual({ wait: 'quota', until: now + minute })
    expect(await parked({ ...short, quotaDueAt: now })).toEqual(step('reserveQuota'))
    expect(await parked({ parked: 'provider' })).toEqual({ wait: 'the provider', until: now + minute })
    expect(await parked({ ...short, skipRemaining: true })).toEqual(step('finishWave'))
  })
})

describe('a run whose step kept failing', () => {
  const stuck = { at: now - minute, until: now + 59 * minute }
  const waits = (until: number) => ({ wait: 'the next retry of a step that keeps failing', until })

  it('waits, whatever the step is, and then tries it again', async () => {
    for (const state of ['approved', 'sending', 'submitted'] as const)
      expect(await does({ state, stepParked: stuck })).toEqual(waits(stuck.until))
    expect(await does({ stepParked: stuck }, stuck.until)).toEqual(step('resolveAudience'))
    expect(await does({})).toEqual(step('resolveAudience'))
  })

  it('wakes to expire in between, but does not try that again and again', async () => {
    const expiring = (expiresAt: number) => does({ stepParked: stuck, expiresAt })
    expect(await expiring(now + minute)).toEqual(waits(now + minute))
    expect(await expiring(now)).toEqual(step('expireMessage'))
    expect(await expiring(now - 2 * minute)).toEqual(waits(stuck.until))
  })
})

describe('a message with a pace', () => {
  const paced = (some: Partial<StoredMessage>) => does({ state: 'sending', paced: true, ...some })
  const open = wave({ open: { chat: { free: 0, freeAt: now + 6_000 } } })

  it('is not sent in one step, however small it is', async () => {
    expect(await paced({ state: 'approved', planned: { chat: 3 } })).toEqual(step('resolveAudience'))
  })

  it('waits for its next batch', async () => {
    expect(await paced({ wave: open })).toEqual({ wait: 'its pace', until: now + 6_000 })
    expect(await paced({ wave: { ...open, parked: 'provider' } })).toMatchObject({ wait: 'the provider' })
  })

  it('rests in quiet hours, and one without does not', async () => {
    const quiet = { hours: { from: '16:55', to: '17:05' }, timeZone: 'Asia/Taipei' }
    const due = wave({ open: { chat: { free: 2, freeAt: null } } })
    const rests = { wait: 'the end of the quiet hours', until: now + 5 * minute }
    expect(await paced({ wave: due, quiet })).toEqual(rests)
    expect(await paced({ wave: due, quiet, paced: false })).toMatchObject({ do: 'sendWave' })
    expect(await paced({ wave: { ...due, skipRemaining: true }, quiet })).toEqual(step('finishWave'))
  })
})

describe('at any time, for any row', () => {
  const moment = fc.integer({ min: now - 10 * minute, max: now + 10 * minute })
  const stored: fc.Arbitrary<StoredMessage> = fc.record({
    state: fc.constantFrom(...messageStates),
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
        probes: fc.boolean(),
        skipRemaining: fc.boolean(),
        open: fc.record(
          { chat: fc.record({ free: fc.nat(9), freeAt: fc.option(moment) }) },
          { requiredKeys: [] },
        ),
      }),
    ),
  })
  /** The first wave is what its message is. */
  const follows: Partial<Record<StoredMessage['state'], StoredWave['state']>> = {
    approved: 'waiting',
    sending: 'sending',
    paused: 'paused',
  }
  const consistent = stored.map((row): StoredMessage => {
    const { state, wave } = row
    return { ...row, wave: wave && { ...wave, state: follows[state] ?? wave.state } }
  })
  const always = (check: (row: StoredMessage, at: number) => Promise<void>) =>
    fc.assert(fc.asyncProperty(consistent, moment, check), { numRuns: 2_000 })

  it('never starts before the send time, nor sends at or after the expiry', () =>
    always(async (row, at) => {
      const next = await decide(row, at)
      if ('wait' in next) return
      const begins = row.state !== 'sending' && ['resolveAudience', 'sendSmallWave'].includes(next.do)
      const goesOn = ['resolveAudience', 'reserveQuota', 'sendWave', 'sendSmallWave'].includes(next.do)
      const due = row.state === 'sent' ? row.remindAt : row.scheduleAt
      if (begins && row.wave?.state !== 'sending' && due !== null) expect(at).toBeGreaterThanOrEqual(due)
      if (goesOn && row.expiresAt !== null) expect(at).toBeLessThan(row.expiresAt)
    }))

  it('never sleeps through an expiry', () =>
    always(async (row, at) => {
      const next = await decide(row, at)
      if (!('wait' in next) || row.expiresAt === null) return
      const expiryFailed = (row.stepParked?.at ?? 0) >= row.expiresAt
      if (['the provider', 'its pace'].includes(next.wait) || expiryFailed) return
      expect(next.until).not.toBeNull()
      expect(next.until).toBeLessThanOrEqual(row.expiresAt)
    }))

  it('the reconciler looks when the run does: at the end of its wait, and soon while it works', () =>
    always(async (row, at) => {
      const next = await decide(row, at)
      const look = nextLook(row.state, messageFacts(row, at))
      if (!('wait' in next)) expect(look).toBe('soon')
      else if (look === 'soon') expect(next.until === null || next.until <= at).toBe(true)
      else if (next.until === null) expect(look).toBeNull()
      else expect(look).toBeLessThanOrEqual(next.until)
    }))
})
