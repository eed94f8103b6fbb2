import type { Trx } from '../../db/connect.ts'
import { lockOurs } from '../../db/queries/batch-outcome.ts'
import { type LockedMessage, lockMessage } from '../../services/move.ts'
import type { Work } from './work.ts'

/** A transaction about a batch that is still ours, under the locks in everybody's order: message, wave, batch. */
export function whileOurs<T>(
  { delivery, wave, claim }: Work,
  write: (trx: Trx, locked: LockedMessage) => Promise<T>,
): Promise<T | 'lost'> {
  return delivery.services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, wave.messageId)
    return (await lockOurs(trx, claim)) ? write(trx, locked) : 'lost'
  })
}
