import type { ApproveTemplate, RejectTemplate, TemplateDetail } from '../../contract/templates/template.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  decideTemplate,
  findTemplate,
  lockTemplate,
  type TemplateDecision,
} from '../../db/queries/catalogue/template.ts'
import { decisionRefusal } from '../../domain/rights/allowed-decision.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { refuse } from '../refuse.ts'
import { orNotFound, unitsOf } from '../unit-access.ts'
import { getTemplate, templateFacts } from './templates.ts'

type Decision = { state: TemplateDecision['state']; reason: string | null; version?: number }

/**
 * Approves a template: messages with it can pass the automatic check.
 * @throws ServiceError not_found, forbidden, invalid_transition, self_approval
 */
export function approveTemplate(
  services: Services,
  principal: Principal,
  id: string,
  { version }: ApproveTemplate = {},
): Promise<TemplateDetail> {
  return decide(services, principal, id, { state: 'approved', reason: null, version })
}

/**
 * Rejects a template: only a person can approve messages with it.
 * @throws ServiceError not_found, forbidden, invalid_transition
 */
export function rejectTemplate(
  services: Services,
  principal: Principal,
  id: string,
  { reason, version }: RejectTemplate,
): Promise<TemplateDetail> {
  return decide(services, principal, id, { state: 'rejected', reason, version })
}

async function decide(
  services: Services,
  principal: Principal,
  id: string,
  { state, reason, version }: Decision,
): Promise<TemplateDetail> {
  const by = actorOf(principal)
  const verb = state === 'approved' ? 'approve' : 'reject'
  await services.db.transaction().execute(async (trx) => {
    await lockTemplate(trx, id)
    const template = orNotFound(await findTemplate(trx, id, unitsOf(principal)), 'template')
    refuse(decisionRefusal(principal, verb, 'template', templateFacts(template), version))
    await decideTemplate(trx, id, template.version, { state, by, reason })
    const audit = { unitId: template.unitId, actor: by, action: verb, reason: reason ?? undefined }
    await insertAudit(trx, {
      ...audit,
      objectKind: 'template',
      objectId: id,
      details: { version: template.version },
    })
  })
  return getTemplate(services, principal, id)
}
