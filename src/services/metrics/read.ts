import { ServiceError } from '../../contract/errors.ts'
import type { MetricsQuery, Trend } from '../../contract/metrics/trend.ts'
import type { Db } from '../../db/connect.ts'
import { readTrend } from '../../db/queries/metrics/trend.ts'
import { isApprover } from '../../domain/permission.ts'
import type { Principal } from '../../domain/principal.ts'
import { unitOf } from '../unit-access.ts'
import { idOrNull } from '../validation-error.ts'

type Store = { db: Db }

/**
 * The days of a unit that are over, in numbers.
 * @throws ServiceError not_found, forbidden, unit_required
 */
export async function getTrend(
  { db }: Store,
  principal: Principal,
  { unitId, days }: MetricsQuery,
): Promise<Trend> {
  return readTrend(db, unitToRead(principal, unitId), days)
}

/** The unit whose numbers the caller may read: a key those of its own, a person those of units they approve for. */
function unitToRead(principal: Principal, named: string | undefined): string {
  const unitId = unitOf(principal, named)
  if (principal.kind === 'producer') {
    if (named && idOrNull(named) !== unitId)
      throw new ServiceError(
        'not_found',
        'No such unit for this key: it reads the numbers of its own. Omit unitId.',
      )
  } else if (!isApprover(principal, unitId))
    throw new ServiceError('forbidden', 'Only approvers of the unit may read its numbers. Ask one of them.')
  return unitId
}
