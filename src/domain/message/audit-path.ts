import {
  isOneOf,
  type MessageState,
  messageStates,
  type PausedFrom,
  pausable,
  waveStates,
} from '../../contract/enums.ts'
import type { Position } from './message-state.ts'
import { legalMoves, stateAfter } from './moves.ts'

/** A change of state in the audit trail; `from` is null for the creation. */
export type AuditedMove = { action: string; from: MessageState | null; to: MessageState }

/**
 * What is wrong with a message's audit trail; null if it is a path from creation to the message's state that the table
 * of moves allows at some time.
 */
export function pathFault(steps: readonly AuditedMove[], state: MessageState): string | null {
  let at: MessageState | null = null
  let pausedFrom: PausedFrom | null = null
  for (const step of steps) {
    if (step.from !== at) return `${step.action} starts from ${step.from}, but the message was ${at}`
    if (!legal.has(edge(pausedFrom, step)))
      return `${step.action} cannot lead from ${step.from} to ${step.to}`
    pausedFrom = step.to === 'paused' && isOneOf(pausable, step.from) ? step.from : null
    at = step.to
  }
  return at === state ? null : `the trail ends at ${at}, but the message is ${state}`
}

function edge(pausedFrom: PausedFrom | null, { from, action, to }: AuditedMove): string {
  return [pausedFrom, from, action, to].join(' ')
}

const reminders = [null, ...waveStates]

/** Every edge of the table of moves, at any time, and the creation. */
const legal = new Set([edge(null, { from: null, action: 'create', to: 'draft' }), ...tableEdges()])

function tableEdges(): string[] {
  const expiresAt = 1
  const results = [
    { sent: 1, unknown: 0, failed: 0, expired: 0 },
    { sent: 0, unknown: 0, failed: 1, expired: 0 },
    { sent: 0, unknown: 0, failed: 0, expired: 1 },
  ]
  return allPositions(expiresAt).flatMap((position) =>
    [0, expiresAt].flatMap((now) => {
      const names = [...legalMoves(position, now), 'finish' as const]
      return names.flatMap((action) =>
        results.flatMap((result) => {
          const to = stateAfter(position, action, now, result)
          return to ? [edge(position.pausedFrom, { from: position.state, action, to })] : []
        }),
      )
    }),
  )
}

function allPositions(expiresAt: number): Position[] {
  return messageStates.flatMap((state) => {
    const origins = state === 'paused' ? pausable : [null]
    return origins.flatMap((pausedFrom) =>
      reminders.flatMap((reminder) =>
        [true, false].map((claimed) => ({ state, pausedFrom, expiresAt, reminder, claimed, parked: true })),
      ),
    )
  })
}
