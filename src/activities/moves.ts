import type { Move } from '../contract/enums.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Db, Trx } from '../db/connect.ts'
import type { OperatorMove } from '../domain/run/signals.ts'
import { applyMove, assertVersion, type LockedMessage, lockMessage } from '../services/messages/move.ts'
import { cancel, retryOrSkip } from '../services/messages/transitions.ts'

/** Moves that a run makes: those an operator requests in the Temporal UI, and expiry. */
export function moveActivities({ db }: { db: Db }) {
  /** Makes one move in its own transaction; false if the table of moves does not allow it. */
  async function tryMove(messageId: string, make: (trx: Trx, locked: LockedMessage) => Promise<unknown>) {
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
     * Applies an operator's request from the Temporal UI. Request Cancellation cancels the message, or pauses it once a
     * recipient may have received it. The signals for `retry` and `skip` apply to a parked wave only, and to the `version`
     * that the operator saw: a late or repeated one never meets the next wave. `none`: the request is not allowed in the
     * current state, or the row has moved on.
     */
    async applyOperatorMove(
      messageId: string,
      requested: OperatorMove,
      version: number | null,
    ): Promise<{ moved: Move | 'none' }> {
      const actor = 'operator:temporal'
      if (requested !== 'cancel') {
        const hasMoved = await tryMove(messageId, async (trx, locked) => {
          await assertVersion(trx, locked, version ?? undefined)
          await retryOrSkip(trx, locked, requested, actor)
        })
        return { moved: hasMoved ? requested : 'none' }
      }
      if (await tryMove(messageId, (trx, locked) => cancel(trx, locked, actor))) return { moved: 'cancel' }
      if (await tryMove(messageId, (trx, locked) => applyMove(trx, locked, 'pause', { actor })))
        return { moved: 'pause' }
      return { moved: 'none' }
    },

    /** Expires the message. Does nothing if another move was made first. */
    async expireMessage(messageId: string): Promise<void> {
      await tryMove(messageId, (trx, locked) =>
        applyMove(trx, locked, 'expire', { actor: 'system:run', byRun: true }),
      )
    },
  }
}
