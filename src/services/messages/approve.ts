import { ServiceError } from '../../contract/errors.ts'
import type { ApprovalOutcome, ApproveMessage } from '../../contract/messages/moves.ts'
import type { Trx } from '../../db/connect.ts'
import { isAuthor } from '../../db/queries/message/content.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { applyMove, checkMove, type LockedMessage, lockMessage } from '../move.ts'
import { unitsOf } from '../unit-of.ts'
import { checkAutomatically } from './automatic.ts'
import { reserveForApproval } from './reserve.ts'
import { assertMayAsk } from './rights.ts'
import { assertVersion } from './version-guard.ts'

/**
 * Approves a submitted message and reserves its quota in the same transaction. A producer key only sets off the
 * automatic check, whose "no" is an answer, not an error.
 * @throws ServiceError not_found, forbidden, invalid_transition, self_approval, quota_exceeded with details
 *   {channel, short}
 */
export async function approveMessage(
  services: Services,
  principal: Principal,
  id: string,
  { version }: ApproveMessage = {},
): Promise<ApprovalOutcome> {
  const outcome = await services.db.transaction().execute(async (trx): Promise<ApprovalOutcome> => {
    const locked = await lockMessage(trx, id, unitsOf(principal))
    assertMayAsk(principal, 'approve', locked.message.unit_id)
    await checkMove(trx, locked, 'approve')
    await assertVersion(trx, locked, version)
    if (principal.kind === 'producer') return checkAutomatically(services, trx, locked)
    return approveByPerson(services, trx, locked, actorOf(principal))
  })
  if (outcome.approved) services.poke('message', id, 'approval')
  return outcome
}

async function approveByPerson(
  services: Services,
  trx: Trx,
  locked: LockedMessage,
  actor: string,
): Promise<ApprovalOutcome> {
  if (await isAuthor(trx, locked.message.id, actor))
    throw new ServiceError(
      'self_approval',
      'You wrote, changed or submitted this message: another approver of the unit must approve it.',
    )
  await applyMove(trx, locked, 'approve', { actor }, { review_reason: null, review_drift: false })
  const shortage = await reserveForApproval(services, trx, locked.message, locked.now)
  if (shortage)
    throw new ServiceError(
      'quota_exceeded',
      `The ${shortage.channel} quota of the unit and the pool is ${shortage.short} short for this month.`,
      shortage,
    )
  return { approved: true }
}
