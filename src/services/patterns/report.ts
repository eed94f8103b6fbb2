import type { PatternReport, RegistrationPage, RegistrationQuery } from '../../contract/patterns/pattern.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findPattern } from '../../db/queries/pattern/pattern.ts'
import {
  findPatternOwner,
  listRegistrations as listRows,
  type RegistrationRow,
} from '../../db/queries/pattern/registrations.ts'
import { countPattern } from '../../db/queries/pattern/report.ts'
import { reportOf } from '../../domain/pattern/report.ts'
import { runNamesRefusal } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { withCountLimit } from '../count-limit.ts'
import { type AuditedList, auditedPage, byNumber, type PageQuery, pageOf } from '../page.ts'
import { refuse } from '../refuse.ts'
import { findInUnits } from '../unit-access.ts'

/**
 * The numbers about a pattern.
 * @throws ServiceError not_found; unavailable, if the unit has too many counts running
 */
export async function getPatternReport(
  { db }: Services,
  principal: Principal,
  id: string,
): Promise<PatternReport> {
  const pattern = await findInUnits(db, principal, id, 'pattern', findPattern)
  return reportOf(pattern, await withCountLimit(pattern.unitId, () => countPattern(db, pattern.id)))
}

/**
 * One page of who takes part in a pattern, in the order in which they asked. The audit log records who read it.
 * @throws ServiceError not_found, forbidden, validation_error for an invalid cursor
 */
export async function listRegistrations(
  services: Services,
  principal: Principal,
  id: string,
  query: RegistrationQuery,
): Promise<RegistrationPage> {
  return auditedPage(await registrationsOf(services, principal, id, query), query)
}

/**
 * The same, to be read page by page or all at once.
 * @throws ServiceError not_found, forbidden
 */
export async function registrationsOf(
  { db }: Services,
  principal: Principal,
  id: string,
  { state: states }: Omit<RegistrationQuery, keyof PageQuery>,
): Promise<AuditedList<RegistrationPage['items'][number]>> {
  const {
    id: patternId,
    unitId,
    unitKind,
  } = await findInUnits(db, principal, id, 'pattern', findPatternOwner)
  refuse(runNamesRefusal(principal, unitId, unitKind))
  return {
    audit: (details) =>
      insertAudit(db, {
        unitId,
        actor: actorOf(principal),
        action: 'read',
        objectKind: 'pattern',
        objectId: patternId,
        details: { what: 'registrations', ...details },
      }),
    page: (query) =>
      pageOf(
        query,
        byNumber(({ position }: RegistrationRow) => position, 9),
        (page) => listRows(db, patternId, { states }, page),
        ({ at, ...row }) => ({ ...row, at: at.toISOString() }),
      ),
  }
}
