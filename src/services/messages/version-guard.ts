import type { Trx } from '../../db/connect.ts'
import { type LockedMessage, refusal } from '../move.ts'

/**
 * Refuses an answer to something that has changed since it was shown (shapes, Messages).
 * @throws ServiceError invalid_transition, saying who changed it last
 */
export async function assertVersion(
  trx: Trx,
  locked: LockedMessage,
  shown: number | undefined,
): Promise<void> {
  if (shown === undefined || shown === locked.message.version) return
  const why = `The message has changed since version ${shown}: read it again and decide anew.`
  throw await refusal(trx, locked, why)
}
