import type { Move } from '../../contract/enums.ts'
import type { RunSignal, SignalName } from '../run/signals.ts'

/**
 * The signal that tells a message's run of a move; null: no run waits for it, or it is the run's own. A draft has a run only
 * to expire.
 */
export const signalOfMove = {
  edit: null,
  submit: 'submitted',
  approve: 'approved',
  reject: 'rejected',
  withdraw: 'withdrawn',
  start: null,
  drift: null,
  finish: null,
  pause: 'paused',
  resume: 'resumed',
  cancel: 'cancelled',
  stop: 'stopped',
  expire: null,
  retry: 'retried',
  skip: 'skipped',
} as const satisfies Record<Move, SignalName<'message'> | null>

/** A move as the audit log has it: who made it, and to which version of the message. */
export type AuditedMove = { action: string; actor: string; version: number | null }

/** The signals that no move bears out, by name: somebody has sent them by hand. That of the reconciler tells of no move. */
export function unconfirmed(told: readonly RunSignal<'message'>[], moves: readonly AuditedMove[]): string[] {
  const isBorneOut = ({ name, by, version }: RunSignal<'message'>) =>
    name === 'overdue' ||
    moves.some(
      (move) => signalOfMove[move.action as Move] === name && move.actor === by && move.version === version,
    )
  return told.filter((one) => !isBorneOut(one)).map(({ name }) => name)
}
