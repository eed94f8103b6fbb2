import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { ExecutiveMetrics } from '../../contract/metrics/executive.ts'
import type { MetricsQuery, Trend } from '../../contract/metrics/trend.ts'
import type { Db } from '../../db/connect.ts'
import { readCompletion } from '../../db/queries/metrics/completion.ts'
import { readReminders, readUnitCounts } from '../../db/queries/metrics/executive.ts'
import { readPeople } from '../../db/queries/metrics/subjects.ts'
import { readTrend } from '../../db/queries/metrics/unit-day.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { ratioOf } from '../../domain/lib/ratio.ts'
import { isApprover } from '../../domain/rights/permission.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import { unitOf } from '../unit-access.ts'

type Store = { db: Db }

/**
 * A unit's last days, today included, in numbers.
 * @throws ServiceError not_found, forbidden, unit_required
 */
export async function getExecutiveMetrics(
  { db }: Store,
  principal: Principal,
  { unitId: named, days }: MetricsQuery,
): Promise<ExecutiveMetrics> {
  const unitId = unitToRead(principal, named)
  const { topics, categories, conversations, handoffs, ...reach } = await readUnitCounts(db, unitId, days)
  const completion = await readCompletion(db, unitId, { days, limit: limits.metricsPatterns })
  return {
    reach: {
      ...reach,
      readRate: ratioOf(reach.read, reach.reached),
      blockRate: ratioOf(reach.blocked, reach.people),
    },
    unsubscribes: { topics, categories },
    reminders: await readReminders(db, unitId, { days, limit: limits.metricsReminders }),
    handoffs,
    completion: Object.fromEntries(
      completion.map(({ patternId, invited, completed }) => [
        patternId,
        { invited, completed, rate: ratioOf(completed, invited) },
      ]),
    ),
    conversations,
    ...(await readPeople(db, days)),
  }
}

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
