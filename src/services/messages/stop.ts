import type { MovedMessage } from '../../contract/messages/moves.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { applyMove, lockMessage } from '../move.ts'
import { unitsOf } from '../unit-of.ts'
import { assertMayAsk } from './rights.ts'

/**
 * Ends a send, or a reminder, that somebody has got already: no batch begins after this has answered, the one in flight
 * finishes. The run skips the rest, gives back what it was to cost and closes the message.
 * @throws ServiceError not_found, forbidden, invalid_transition
 */
export async function stopMessage(
  services: Services,
  principal: Principal,
  id: string,
): Promise<MovedMessage> {
  const state = await services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, id, unitsOf(principal))
    assertMayAsk(principal, 'stop', locked.message.unit_id)
    return applyMove(trx, locked, 'stop', { actor: actorOf(principal) })
  })
  services.poke('message', id, 'changed')
  return { state }
}
