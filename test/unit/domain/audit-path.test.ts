import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MessageState } from '../../../src/contract/enums.ts'
import { type AuditedMove, pathFault } from '../../../src/domain/message/audit-path.ts'
import type { Position } from '../../../src/domain/message/message-state.ts'
import { legalMoves, stateAfter } from '../../../src/domain/message/moves.ts'

const created: AuditedMove = { action: 'create', from: null, to: 'draft' }
const submitted: AuditedMove = { action: 'submit', from: 'draft', to: 'submitted' }
const approved: AuditedMove = { action: 'approve', from: 'submitted', to: 'approved' }
const started: AuditedMove = { action: 'start', from: 'approved', to: 'sending' }
const paused: AuditedMove = { action: 'pause', from: 'sending', to: 'paused' }

describe('the audit trail of a message', () => {
  it('is valid for every path through the table of moves', () => {
    const choices = fc.array(fc.record({ move: fc.nat(), claimed: fc.boolean(), expired: fc.boolean() }), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(choices, (choices) => {
        const { steps, state } = walk(choices)
        expect(pathFault(steps, state)).toBeNull()
      }),
    )
  })

  it.each<[string, AuditedMove[], MessageState]>([
    ['has a gap', [created, approved], 'approved'],
    ['begins in the middle', [submitted], 'submitted'],
    ['ends elsewhere than the message', [created, submitted], 'approved'],
    ['is empty', [], 'draft'],
    [
      'has a move that is not in the table',
      [created, { action: 'finish', from: 'draft', to: 'sent' }],
      'sent',
    ],
    ['has a move of no name', [created, { action: 'jump', from: 'draft', to: 'submitted' }], 'submitted'],
    [
      'resumes to where it was not paused',
      [created, submitted, approved, started, paused, { action: 'resume', from: 'paused', to: 'approved' }],
      'approved',
    ],
  ])('is faulty when it %s', (_, steps, state) => {
    expect(pathFault(steps, state)).not.toBeNull()
  })
})

const result = { sent: 1, unknown: 0, failed: 0, expired: 0 }

/** Makes legal moves one after another, as far as there are any. */
function walk(choices: { move: number; claimed: boolean; expired: boolean }[]) {
  const steps = [created]
  const plain = { expiresAt: 1, reminder: null, claimed: false, parked: true }
  let position: Position = { state: 'draft', pausedFrom: null, ...plain }
  for (const choice of choices) {
    const now = choice.expired ? 1 : 0
    const here: Position = { ...position, claimed: choice.claimed }
    const names = [...legalMoves(here, now), ...(here.state === 'sending' ? (['finish'] as const) : [])]
    const name = names[choice.move % names.length]
    if (!name) break
    const to = stateAfter(here, name, now, result)!
    steps.push({ action: name, from: here.state, to })
    position = { ...here, state: to, pausedFrom: to === 'paused' ? (here.state as 'approved') : null }
  }
  return { steps, state: position.state }
}
