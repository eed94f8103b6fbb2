import type {
  ApproveEventBinding,
  EventBindingDetail,
  RejectEventBinding,
} from '../../contract/events/binding.ts'
import { decideBindingVersion, findBinding, lockBinding } from '../../db/queries/event/binding.ts'
import { decisionRefusal } from '../../domain/rights/allowed-decision.ts'
import { actorOf, type PersonPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { refuse } from '../refuse.ts'
import { findInUnits } from '../unit-access.ts'
import { bindingDetail, bindingFacts, ruleOf } from './binding-fields.ts'
import { auditBinding, claimingPair, write } from './write-binding.ts'

/**
 * Approves the version of a binding that waits: it is in force from now on.
 * @throws ServiceError not_found, forbidden, self_approval, invalid_transition if none waits, `version` is not the one
 *   that does, or another binding of (source, type) is in force
 */
export function approveBinding(
  services: Services,
  principal: PersonPrincipal,
  id: string,
  { version }: ApproveEventBinding = {},
): Promise<EventBindingDetail> {
  return decide(services, principal, id, { verb: 'approve', reason: null, version })
}

/**
 * Rejects the version of a binding that waits. The one in force stays.
 * @throws ServiceError not_found, forbidden, invalid_transition
 */
export function rejectBinding(
  services: Services,
  principal: PersonPrincipal,
  id: string,
  { reason, version }: RejectEventBinding,
): Promise<EventBindingDetail> {
  return decide(services, principal, id, { verb: 'reject', reason, version })
}

type Decision = { verb: 'approve' | 'reject'; reason: string | null; version: number | undefined }

function decide(
  services: Services,
  principal: PersonPrincipal,
  id: string,
  { verb, reason, version: shownVersion }: Decision,
): Promise<EventBindingDetail> {
  const by = actorOf(principal)
  const state = verb === 'approve' ? 'in_force' : 'rejected'
  return write(services, principal, async (trx) => {
    const row = await findInUnits(trx, principal, id, 'event binding', lockBinding)
    const { newest, unit_id: unitId } = row
    refuse(decisionRefusal(principal, verb, 'binding', bindingFacts(row), shownVersion))
    const { version } = newest
    await claimingPair(ruleOf(newest), decideBindingVersion(trx, { id, version }, { state, by, reason }))
    await auditBinding(trx, principal, verb, { id, unitId, rule: ruleOf(newest), version, state }, reason)
    return bindingDetail(trx, principal, await findInUnits(trx, principal, id, 'event binding', findBinding))
  })
}
