import { ServiceError } from '../../contract/errors.ts'
import type { ApproveTemplate, RejectTemplate, Template } from '../../contract/templates/template.ts'
import {
  decideTemplate,
  findTemplate,
  lockTemplate,
  type Template as Row,
  type TemplateDecision,
} from '../../db/queries/catalogue/template.ts'
import { insertAudit } from '../../db/queries/maintenance/audit.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { explainVersion } from '../explain-version.ts'
import { assertMayAsk } from '../messages/rights.ts'
import { orNotFound, unitsOf } from '../unit-access.ts'
import { getTemplate } from './templates.ts'

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
): Promise<Template> {
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
): Promise<Template> {
  return decide(services, principal, id, { state: 'rejected', reason, version })
}

async function decide(
  services: Services,
  principal: Principal,
  id: string,
  { state, reason, version }: Decision,
): Promise<Template> {
  const by = actorOf(principal)
  const verb = state === 'approved' ? 'approve' : 'reject'
  await services.db.transaction().execute(async (trx) => {
    await lockTemplate(trx, id)
    const template = orNotFound(await findTemplate(trx, id, unitsOf(principal)), 'template')
    assertPerson(principal)
    assertMayAsk(principal, verb, template.unitId)
    assertOpen(template, verb, version)
    if (state === 'approved' && template.createdBy === by)
      throw new ServiceError(
        'self_approval',
        'You wrote this template. Ask another approver of the unit to approve it.',
      )
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

function assertPerson(principal: Principal): void {
  if (principal.kind === 'person') return
  throw new ServiceError(
    'forbidden',
    'Only a person may approve or reject a template. Sign in as an approver of the unit.',
  )
}

function assertOpen(template: Row, verb: string, shown: number | undefined): void {
  if (template.state === 'draft' && (shown === undefined || shown === template.version)) return
  throw new ServiceError(
    'invalid_transition',
    `${verb} is not possible: ${explainVersion('template', template, shown)}`,
    {
      state: template.state,
      by: template.decidedBy ?? template.createdBy,
      at: (template.decidedAt ?? template.createdAt).toISOString(),
    },
  )
}
