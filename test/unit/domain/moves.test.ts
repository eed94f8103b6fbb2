import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type MessageState,
  type Move,
  messageStates,
  type WaveState,
  waveStates,
} from '../../../src/contract/enums.ts'
import type { Position } from '../../../src/domain/message/message-state.ts'
import { legalMoves, stateAfter } from '../../../src/domain/message/moves.ts'

const moves: Move[] = [
  'edit',
  'submit',
  'approve',
  'reject',
  'start',
  'drift',
  'finish',
  'pause',
  'resume',
  'cancel',
  'stop',
  'expire',
  'retry',
  'skip',
]
const now = 1_000_000

const position = (state: MessageState, more: Partial<Position> = {}): Position => ({
  state,
  pausedFrom: state === 'paused' ? 'approved' : null,
  expiresAt: null,
  reminder: null,
  claimed: false,
  parked: false,
  ...more,
})

const anyPosition = fc
  .record({
    state: fc.constantFrom(...messageStates),
    pausedFrom: fc.constantFrom('approved' as const, 'sending' as const),
    expiresAt: fc.option(fc.integer({ min: 1, max: 2_000_000 })),
    reminder: fc.option(fc.constantFrom(...waveStates)),
    claimed: fc.boolean(),
    parked: fc.boolean(),
  })
  .map((drawn): Position => ({ ...drawn, pausedFrom: drawn.state === 'paused' ? drawn.pausedFrom : null }))

const anyResult = fc.record({ sent: fc.nat(3), unknown: fc.nat(3), failed: fc.nat(3), expired: fc.nat(3) })

describe('a message moves', () => {
  it.each<[Move, MessageState, MessageState]>([
    ['edit', 'draft', 'draft'],
    ['submit', 'draft', 'submitted'],
    ['approve', 'submitted', 'approved'],
    ['reject', 'submitted', 'rejected'],
    ['start', 'approved', 'sending'],
    ['drift', 'approved', 'submitted'],
    ['pause', 'approved', 'paused'],
    ['pause', 'sending', 'paused'],
    ['resume', 'paused', 'approved'],
    ['cancel', 'draft', 'cancelled'],
    ['cancel', 'submitted', 'cancelled'],
    ['cancel', 'approved', 'cancelled'],
    ['cancel', 'paused', 'cancelled'],
    ['cancel', 'sending', 'cancelled'],
  ])('%s: %s → %s', (name, from, to) => {
    expect(stateAfter(position(from), name, now)).toBe(to)
  })

  it('is cancelled only before the first batch is claimed, and stopped only after', () => {
    for (const state of ['sending', 'paused'] as const) {
      expect(stateAfter(position(state), 'stop', now)).toBeNull()
      expect(stateAfter(position(state, { claimed: true }), 'stop', now)).toBe('stopped')
      expect(stateAfter(position(state, { claimed: true }), 'cancel', now)).toBeNull()
    }
  })

  it('expires at its exact time, not before', () => {
    expect(stateAfter(position('approved', { expiresAt: now + 1 }), 'expire', now)).toBeNull()
    expect(stateAfter(position('approved', { expiresAt: now }), 'expire', now)).toBe('expired')
    expect(stateAfter(position('approved'), 'expire', now)).toBeNull()
  })

  it('resumes to where it was paused', () => {
    expect(stateAfter(position('paused', { pausedFrom: 'sending', claimed: true }), 'resume', now)).toBe(
      'sending',
    )
  })

  it.each([
    [{ sent: 0, unknown: 0, failed: 0, expired: 0 }, 'sent'],
    [{ sent: 1, unknown: 0, failed: 9, expired: 9 }, 'sent'],
    [{ sent: 0, unknown: 1, failed: 9, expired: 0 }, 'sent'],
    [{ sent: 0, unknown: 0, failed: 1, expired: 9 }, 'failed'],
    [{ sent: 0, unknown: 0, failed: 0, expired: 1 }, 'expired'],
  ] as const)('finishes by its result %j as %s', (result, end) => {
    expect(stateAfter(position('sending', { claimed: true }), 'finish', now, result)).toBe(end)
  })

  it('can past its expiry only expire or finish', () => {
    fc.assert(
      fc.property(anyPosition, fc.constantFrom(...moves), anyResult, (from, name, result) => {
        const late = { ...from, expiresAt: now }
        if (stateAfter(late, name, now, result) !== null) expect(['expire', 'finish']).toContain(name)
      }),
    )
  })

  it('never leaves an end state', () => {
    const ends: MessageState[] = ['rejected', 'sent', 'failed', 'cancelled', 'stopped', 'expired']
    fc.assert(
      fc.property(
        anyPosition,
        fc.constantFrom(...ends),
        fc.constantFrom(...moves),
        anyResult,
        (from, end, name, result) => {
          const to = stateAfter({ ...from, state: end, pausedFrom: null }, name, now, result)
          expect([null, end]).toContain(to)
          if (to !== null) expect(['waiting', 'sending', 'paused']).toContain(from.reminder)
        },
      ),
    )
  })

  it.each<[Move, WaveState[]]>([
    ['start', ['waiting']],
    ['pause', ['sending']],
    ['resume', ['paused']],
    ['cancel', ['waiting', 'paused', 'sending']],
    ['finish', ['sending']],
  ])('%s is the reminder’s, once the message is sent, where that is %j', (name, states) => {
    const result = { sent: 1, unknown: 0, failed: 0, expired: 0 }
    const legal = waveStates.filter((reminder) =>
      stateAfter(position('sent', { reminder }), name, now, result),
    )
    expect(legal.toSorted()).toEqual(states.toSorted())
  })

  it('stops a reminder once a recipient may have received it, and expires one that is not being sent', () => {
    for (const reminder of ['sending', 'paused'] as const) {
      expect(stateAfter(position('sent', { reminder, claimed: true }), 'stop', now)).toBe('sent')
      expect(stateAfter(position('sent', { reminder, claimed: true }), 'cancel', now)).toBeNull()
    }
    for (const reminder of ['waiting', 'paused'] as const)
      expect(stateAfter(position('sent', { reminder, expiresAt: now }), 'expire', now)).toBe('sent')
  })

  it('retries or skips only what is parked', () => {
    for (const name of ['retry', 'skip'] as const) {
      expect(stateAfter(position('sending', { parked: true }), name, now)).toBe('sending')
      expect(stateAfter(position('sending'), name, now)).toBeNull()
      expect(stateAfter(position('paused', { parked: true }), name, now)).toBeNull()
    }
  })

  it('offers exactly what it would grant', () => {
    fc.assert(
      fc.property(anyPosition, (from) => {
        for (const name of moves.filter((candidate) => candidate !== 'finish'))
          expect(legalMoves(from, now).includes(name)).toBe(stateAfter(from, name, now) !== null)
      }),
    )
  })
})
