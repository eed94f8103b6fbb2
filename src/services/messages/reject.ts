import type { MovedMessage, RejectMessage } from '../../contract/messages/moves.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { applyMove, checkMove, lockMessage } from '../move.ts'
import { unitsOf } from '../unit-of.ts'
import { assertMayAsk } from './rights.ts'
import { assertVersion } from './version-guard.ts'

/**
 * Says no to a submitted message, for good. It holds no quota yet, so it is closed at once.
 * @throws ServiceError not_found, forbidden, invalid_transition
 */
export async function rejectMessage(
  services: Services,
  principal: Principal,
  id: string,
  { reason, version }: RejectMessage,
): Promise<MovedMessage> {
  const state = await services.db.transaction().execute(async (trx) => {
    const locked = await lockMessage(trx, id, unitsOf(principal))
    assertMayAsk(principal, 'reject', locked.message.unit_id)
    await checkMove(trx, locked, 'reject')
    await assertVersion(trx, locked, version)
    const by = { actor: actorOf(principal), reason }
    return applyMove(trx, locked, 'reject', by, { closed_at: new Date(locked.now) })
  })
  services.poke('message', id, 'rejection')
  return { state }
}
