import type { Move } from '../contract/enums.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Db, Trx } from '../db/connect.ts'
import type { OperatorMove } from '../domain/signals.ts'
import { applyMove, type LockedMessage, lockMessage } from '../services/messages/move.ts'
import { cancel, retryOrSkip } from '../services/messages/transitions.ts'

export type MoveActivities = ReturnType<typeof moveActivities>

/** Moves that a run asks for: those of an operator in the Temporal UI, and those of the clock. */
export function moveActivities({ db }: { db: Db }) {
  /** One move in a transaction of its own; false where the table of moves refuses it. */
  async function tried(messageId: string, make: (trx: Trx, locked: LockedMessage) => Promise<unknown>) {
    try {
      await db.transaction().execute(async (trx) => make(trx, await lockMessage(trx, messageId)))
      return true
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'invalid_transition') return false
      throw error
    }
  }

  return {
    /**
     * What an operator asks for in the Temporal UI. `cancel`, by Request Cancel: a pause where somebody may have got it
     * already, else nothing. `retry` and `skip`, by signals, of a parked wave: else nothing.
     */
    async operatorMove(messageId: string, asked: OperatorMove): Promise<{ moved: Move | 'none' }> {
      const actor = 'operator:temporal'
      if (asked !== 'cancel') {
        const made = await tried(messageId, (trx, locked) => retryOrSkip(trx, locked, asked, actor))
        return { moved: made ? asked : 'none' }
      }
      if (await tried(messageId, (trx, locked) => cancel(trx, locked, actor))) return { moved: 'cancel' }
      if (await tried(messageId, (trx, locked) => applyMove(trx, locked, 'pause', { actor })))
        return { moved: 'pause' }
      return { moved: 'none' }
    },

    /** Past its expiry, by Postgres' clock. Nothing happens where somebody else was there first. */
    async expire(messageId: string): Promise<void> {
      await tried(messageId, (trx, locked) =>
        applyMove(trx, locked, 'expire', { actor: 'system:run', byRun: true }),
      )
    },
  }
}
