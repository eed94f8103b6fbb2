import type { MovedMessage } from '../../contract/message-moves.ts'
import type { Trx } from '../../db/connect.ts'
import { setWaveState } from '../../db/queries/waiting-wave.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { applyMove, type LockedMessage, lockMessage } from '../move.ts'
import { unitsOf } from '../unit-of.ts'
import { assertMayAsk } from './rights.ts'

/**
 * Holds a message, or a send, still: no batch begins after this has answered. The quota stays reserved.
 * @throws ServiceError not_found, forbidden, invalid_transition
 */
export function pauseMessage(services: Services, principal: Principal, id: string): Promise<MovedMessage> {
  return hold(services, principal, id, 'pause')
}

/**
 * Lets a paused message go on from where it was.
 * @throws ServiceError not_found, forbidden, invalid_transition
 */
export function resumeMessage(services: Services, principal: Principal, id: string): Promise<MovedMessage> {
  return hold(services, principal, id, 'resume')
}

async function hold(services: Services, principal: Principal, id: string, move: 'pause' | 'resume') {
  const state = await services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, id, unitsOf(principal))
    assertMayAsk(principal, move, locked.message.unit_id)
    return turn(trx, locked, move, actorOf(principal))
  })
  services.poke('message', id, 'changed')
  return { state }
}

/** The pause itself, under the caller's lock; for whoever asks in another way than over HTTP. */
export function pause(trx: Trx, locked: LockedMessage, actor: string) {
  return turn(trx, locked, 'pause', actor)
}

async function turn(trx: Trx, locked: LockedMessage, move: 'pause' | 'resume', actor: string) {
  const state = await applyMove(trx, locked, move, { actor })
  await setWaveState(trx, locked.message.id, move === 'pause' ? 'sending' : 'paused')
  return state
}
