import type { MovedMessage } from '../../contract/messages/moves.ts'
import type { Trx } from '../../db/connect.ts'
import { releaseAll } from '../../db/queries/quota/quota.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { applyMove, type LockedMessage, lockMessage, wavesOf, waveUp } from '../move.ts'
import { unitsOf } from '../unit-of.ts'
import { assertMayAsk } from './rights.ts'

/**
 * Calls a message off before any batch was claimed, and gives its quota back in the same transaction: once this has
 * answered, nothing will be sent. Of a message that is sent, it is the reminder that is called off.
 * @throws ServiceError not_found, forbidden, invalid_transition
 */
export async function cancelMessage(
  services: Services,
  principal: Principal,
  id: string,
): Promise<MovedMessage> {
  const state = await services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, id, unitsOf(principal))
    assertMayAsk(principal, 'cancel', locked.message.unit_id)
    return cancel(trx, locked, actorOf(principal))
  })
  services.poke('message', id, 'cancellation')
  return { state }
}

/** The cancellation itself, under the caller's lock; for whoever asks in another way than over HTTP. */
export async function cancel(trx: Trx, locked: LockedMessage, actor: string) {
  const closing = hasRows(locked) ? {} : { closed_at: new Date(locked.now) }
  const state = await applyMove(trx, locked, 'cancel', { actor }, closing)
  await releaseAll(trx, ...wavesOf(locked).map(({ id }) => id))
  return state
}

/** Rows may have been written since the send began; the run then skips them before the message closes. */
function hasRows(locked: LockedMessage): boolean {
  const up = waveUp(locked)
  return up?.state === 'sending' || up?.state === 'paused'
}
