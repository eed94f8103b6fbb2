import { ServiceError } from '../contract/errors.ts'
import type { Db, Trx } from '../db/connect.ts'
import { closeMessage, endWaves, lockReminder } from '../db/queries/close.ts'
import { releaseAll } from '../db/queries/quota.ts'
import { cancel } from '../services/messages/cancel.ts'
import { pause } from '../services/messages/pause.ts'
import { applyMove, type LockedMessage, lockMessage } from '../services/move.ts'

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
    /** Request Cancel in the Temporal UI: a cancel; a pause where somebody may have got it already; else nothing. */
    async operatorMove(messageId: string): Promise<{ moved: 'cancel' | 'pause' | 'none' }> {
      const actor = 'operator:temporal'
      if (await tried(messageId, (trx, locked) => cancel(trx, locked, actor))) return { moved: 'cancel' }
      if (await tried(messageId, (trx, locked) => pause(trx, locked, actor))) return { moved: 'pause' }
      return { moved: 'none' }
    },

    /** Past its expiry, by Postgres' clock. Nothing happens where somebody else was there first. */
    async expire(messageId: string): Promise<void> {
      await tried(messageId, (trx, locked) =>
        applyMove(trx, locked, 'expire', { actor: 'system:run', byRun: true }),
      )
    },

    /** The time of a reminder is past that nobody will send: it is missed, its quota free, the message closed. */
    async missReminder(messageId: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const { message } = await lockMessage(trx, messageId)
        const reminder = await lockReminder(trx, messageId)
        if (message.state !== 'sent' || !reminder) return
        await endWaves(trx, [reminder], 'missed')
        await closeMessage(trx, messageId)
        await releaseAll(trx, reminder)
      })
    },
  }
}
