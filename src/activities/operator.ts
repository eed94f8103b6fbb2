import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../db/connect.ts'
import type { Move } from '../domain/message-state.ts'
import { applyMove, lockMessage } from '../services/move.ts'

export type OperatorActivities = ReturnType<typeof operatorActivities>

/** Moves that a run asks for: those of an operator in the Temporal UI, and the one of the clock. */
export function operatorActivities({ db }: { db: Db }) {
  /** One move of a message; false where the table of moves refuses it. */
  async function tried(messageId: string, name: Move, actor: string, byRun = false): Promise<boolean> {
    try {
      await db.transaction().execute(async (trx) => {
        await applyMove(trx, await lockMessage(trx, messageId), name, { actor, byRun })
      })
      return true
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'invalid_transition') return false
      throw error
    }
  }

  return {
    /** Request Cancel in the Temporal UI: a cancel; a pause where something was sent already; else nothing. */
    async operatorMove(messageId: string): Promise<{ moved: 'cancel' | 'pause' | 'none' }> {
      if (await tried(messageId, 'cancel', 'operator:temporal')) return { moved: 'cancel' }
      if (await tried(messageId, 'pause', 'operator:temporal')) return { moved: 'pause' }
      return { moved: 'none' }
    },

    /** Past its expiry, by Postgres' clock. Nothing happens where somebody else was there first. */
    async expire(messageId: string): Promise<void> {
      await tried(messageId, 'expire', 'system:run', true)
    },
  }
}
