import { broken } from '../../contract/rules.ts'
import type { Consent, GrantConsent, RevokedConsent } from '../../contract/subjects/subject.ts'
import type { Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { setConsents, withdrawConsent } from '../../db/queries/subject/consent.ts'
import { findConsent } from '../../db/queries/subject/subject.ts'
import { actorOf, type ProducerPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { validationError } from '../validation-error.ts'
import { consentOf, lockSubjectByName } from './find.ts'

/**
 * Records a consent, which takes effect immediately, and adds it to the history.
 * @throws ServiceError not_found
 */
export async function grantConsent(
  { db }: Services,
  principal: ProducerPrincipal,
  named: string,
  { scope, version, source }: GrantConsent,
): Promise<Consent> {
  return db.transaction().execute(async (trx) => {
    const { id: subjectId } = await lockSubjectByName(trx, named)
    if ((await setConsents(trx, [{ subjectId, scope, version, source }])) > 0)
      await audit(trx, principal, 'grant_consent', { subjectId, scope, version })
    return consentOf((await findConsent(trx, subjectId, scope))!)
  })
}

/**
 * Withdraws a consent, which batches claimed from now on respect. Idempotent.
 * @throws ServiceError validation_error if the scope is missing or given twice, not_found
 */
export async function revokeConsent(
  { db }: Services,
  principal: ProducerPrincipal,
  named: string,
  body: GivenScope,
): Promise<RevokedConsent> {
  const scope = scopeOf(body)
  return db.transaction().execute(async (trx) => {
    const { id: subjectId } = await lockSubjectByName(trx, named)
    if (await withdrawConsent(trx, subjectId, scope))
      await audit(trx, principal, 'withdraw_consent', { subjectId, scope })
    const consent = await findConsent(trx, subjectId, scope)
    return { scope, withdrawnAt: consent ? consentOf(consent).withdrawnAt : null }
  })
}

/** The scope of a request that may carry it in two places. */
type GivenScope = { inQuery: string | undefined; inBody: string | undefined }

function scopeOf({ inQuery, inBody }: GivenScope): string {
  const scope = inQuery ?? inBody
  if (scope === undefined)
    throw validationError([{ path: 'scope', ...broken('missing', { reason: 'scope' }) }])
  if (inBody !== undefined && inBody !== scope)
    throw validationError([{ path: 'scope', ...broken('mismatch', { of: 'scope' }) }])
  return scope
}

function audit(
  trx: Trx,
  principal: ProducerPrincipal,
  action: string,
  { subjectId, ...details }: { subjectId: string; scope: string; version?: string },
) {
  const { unitId } = principal
  return insertAudit(trx, {
    unitId,
    actor: actorOf(principal),
    action,
    objectKind: 'subject',
    objectId: subjectId,
    details,
  })
}
