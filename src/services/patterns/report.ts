import type { PatternReport } from '../../contract/patterns/pattern.ts'
import { findPattern } from '../../db/queries/pattern/pattern.ts'
import { countPattern } from '../../db/queries/pattern/report.ts'
import { reportOf } from '../../domain/pattern/report.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { withCountLimit } from '../count-limit.ts'
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
