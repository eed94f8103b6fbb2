import { limits } from '../../contract/limits.ts'
import type { Db } from '../../db/connect.ts'
import { findGroupQueries } from '../../db/queries/audience/subjects.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findUnit } from '../../db/queries/identity/unit.ts'
import type { MessageRow } from '../../db/tables.ts'
import type { Audience, Forecast } from '../../domain/audience/audience.ts'
import { fewByHistory } from '../../domain/audience/audience-rights.ts'
import { namedPeople, readsHistory } from '../../domain/audience/small-audience.ts'
import { traceRefusal } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { refuse } from '../refuse.ts'

/**
 * Shows a forecast of people whom their own history selects. It is a view of what they answered, registered for or received:
 * it is audited, and below five people shown only to who may read such things by name (docs/design/audiences.md).
 * @throws ServiceError individual_targeting_disabled
 */
export async function viewCount(
  db: Db,
  principal: Principal,
  { unit_id: unitId, audience }: Pick<MessageRow, 'unit_id' | 'audience'>,
  forecast: Forecast,
): Promise<Forecast> {
  if (!(await tellsHistory(db, unitId, audience))) return forecast
  await insertAudit(db, {
    unitId,
    actor: actorOf(principal),
    action: 'read',
    objectKind: 'unit',
    objectId: unitId,
    details: { what: 'count' },
  })
  if (namedPeople(forecast.recipients) < limits.smallestAudience) await assertMaySeeFew(db, principal, unitId)
  return forecast
}

/** Whether a count of this audience tells what people answered, registered for or received; also by a dynamic group. */
export async function tellsHistory(db: Db, unitId: string, audience: Audience): Promise<boolean> {
  if (audience.kind === 'individual') return false
  return readsHistory(audience, (await findGroupQueries(db, unitId, audience)).values())
}

async function assertMaySeeFew(db: Db, principal: Principal, unitId: string): Promise<void> {
  const unit = await findUnit(db, unitId)
  if (!unit || traceRefusal(principal, unitId, unit.kind)) refuse(fewByHistory)
}
