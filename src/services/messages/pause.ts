import type { MovedMessage } from '../../contract/messages/moves.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { applyMove, lockMessage } from '../move.ts'
import { unitsOf } from '../unit-of.ts'
import { assertMayAsk } from './rights.ts'

/**
 * Holds a message, a send or a reminder still: no batch begins after this has answered. The quota stays reserved.
 * @throws ServiceError not_found, forbidden, invalid_transition
 */
export function pauseMessage(services: Services, principal: Principal, id: string): Promise<MovedMessage> {
  return hold(services, principal, id, 'pause')
}

/**
 * Lets what was paused go on from where it was.
 * @throws ServiceError not_found, forbidden, invalid_transition
 */
export function resumeMessage(services: Services, principal: Principal, id: string): Promise<MovedMessage> {
  return hold(services, principal, id, 'resume')
}

async function hold(services: Services, principal: Principal, id: string, move: 'pause' | 'resume') {
  const state = await services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, id, unitsOf(principal))
    assertMayAsk(principal, move, locked.message.unit_id)
    return applyMove(trx, locked, move, { actor: actorOf(principal) })
  })
  services.poke('message', id, 'changed')
  return { state }
}
