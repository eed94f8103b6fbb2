import { describe, expect, it } from 'vitest'
import { expirable, expirableReminders, type Move } from '../../../src/contract/enums.ts'
import type { Position } from '../../../src/domain/message/message-state.ts'
import { explainRefusal } from '../../../src/domain/message/refusal-reason.ts'

const plain: Position = {
  state: 'draft',
  pausedFrom: null,
  expiresAt: null,
  reminder: null,
  claimed: false,
  parked: false,
}
const explain = (move: Move, position: Partial<Position>, now = 0) =>
  explainRefusal({ ...plain, ...position }, move, now)

describe('the reason why a move is not possible', () => {
  it('is the state', () => {
    expect(explain('submit', { state: 'cancelled' })).toBe(
      'submit is not possible: the message is cancelled. It can no longer be changed. Copy it with POST /v1/messages/{id}/copy.',
    )
    expect(explain('approve', { state: 'approved' })).toBe(
      'approve is not possible: the message is approved. Possible now: pause, cancel.',
    )
  })

  it('is the expiry that has not been applied yet', () => {
    const expired =
      'submit is not possible: the message expired at 1970-01-01T00:00:01.000Z. It can no longer be changed. Copy it with POST /v1/messages/{id}/copy.'
    expect(explain('submit', { expiresAt: 1_000 }, 1_000)).toBe(expired)
    expect(explain('stop', { state: 'paused', expiresAt: 1_000 }, 2_000)).not.toContain('cancel')
    expect(explain('submit', { state: 'sent', expiresAt: 1_000 }, 2_000)).toContain('the message is sent')
  })

  it('is the same once the expiry has been applied', () => {
    const moves: Move[] = [
      'edit',
      'submit',
      'approve',
      'reject',
      'cancel',
      'pause',
      'resume',
      'stop',
      'retry',
    ]
    for (const move of moves) {
      const expired = explain(move, { state: 'expired', expiresAt: 1_000 }, 1_000)
      for (const state of expirable) expect(explain(move, { state, expiresAt: 1_000 }, 1_000)).toBe(expired)
      const sent = { state: 'sent', expiresAt: 1_000 } as const
      const ended = explain(move, { ...sent, reminder: 'expired' }, 1_000)
      for (const reminder of expirableReminders)
        expect(explain(move, { ...sent, reminder }, 1_000)).toBe(ended)
    }
  })

  it('is the state of the reminder, once that is active', () => {
    expect(explain('pause', { state: 'sent', reminder: 'waiting' })).toBe(
      'pause is not possible: the message is sent and its reminder is waiting. Possible now: cancel.',
    )
  })

  it.each<[Move, Partial<Position>, string]>([
    ['edit', { state: 'submitted' }, 'Only a draft can be edited. Copy it with POST /v1/messages/{id}/copy.'],
    ['approve', { state: 'draft' }, 'Submit it first.'],
    ['reject', { state: 'draft' }, 'Submit it first.'],
    ['cancel', { state: 'sending', claimed: true }, 'Some recipients may have received it. Stop it instead.'],
    ['cancel', { state: 'paused', claimed: true }, 'Some recipients may have received it. Stop it instead.'],
    ['stop', { state: 'paused', claimed: false }, 'No recipient has received it. Cancel it instead.'],
    ['stop', { state: 'submitted' }, 'No recipient has received it. Cancel it instead.'],
    [
      'cancel',
      { state: 'sent', reminder: 'sending', claimed: true },
      'Some recipients may have received it. Stop it instead.',
    ],
    ['stop', { state: 'sent', reminder: 'waiting' }, 'No recipient has received it. Cancel it instead.'],
    ['skip', { state: 'sending' }, 'Only a parked send can be retried.'],
  ])('%s of %o comes with what to do instead', (move, position, advice) => {
    expect(explain(move, position)).toBe(`${explain(move, position).split('. ')[0]}. ${advice}`)
  })
})
