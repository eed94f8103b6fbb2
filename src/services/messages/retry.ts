import type { MovedMessage, RetryMessage } from '../../contract/messages/moves.ts'
import type { Trx } from '../../db/connect.ts'
import { probeNow, skipRest } from '../../db/queries/delivery/parking.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { applyMove, type LockedMessage, lockMessage, waveUp } from '../move.ts'
import { unitsOf } from '../unit-of.ts'
import { assertMayAsk } from './rights.ts'

/**
 * Lets a parked wave try again now, instead of at its next probe; with `skip`, gives up who is left of it.
 * @throws ServiceError not_found, forbidden, invalid_transition where nothing is parked
 */
export async function retryMessage(
  services: Services,
  principal: Principal,
  id: string,
  { skip = false }: RetryMessage = {},
): Promise<MovedMessage> {
  const state = await services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, id, unitsOf(principal))
    assertMayAsk(principal, 'retry', locked.message.unit_id)
    return retryOrSkip(trx, locked, skip ? 'skip' : 'retry', actorOf(principal))
  })
  services.poke('message', id, 'changed')
  return { state }
}

/**
 * What becomes of a parked wave, under the caller's lock; for whoever asks in another way than over HTTP. `retry`: its
 * probe is due now. `skip`: nothing of it begins any more, and the run skips the rest as `parked`.
 */
export async function retryOrSkip(trx: Trx, locked: LockedMessage, move: 'retry' | 'skip', actor: string) {
  const state = await applyMove(trx, locked, move, { actor })
  const { id } = waveUp(locked)!
  await (move === 'skip' ? skipRest(trx, id) : probeNow(trx, id))
  return state
}
