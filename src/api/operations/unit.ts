import { summaryOf } from '../../db/queries/message/read.ts'
import { getOwnKey } from '../../services/admin/keys.ts'
import { listApprovals } from '../../services/approvals/list.ts'
import type { Services } from '../../services/context.ts'
import { listAudit } from '../../services/identity/audit.ts'
import { getExecutiveMetrics, getTrend } from '../../services/metrics/read.ts'
import { unitOf } from '../../services/unit-access.ts'
import { limitsOf, type RateLimits } from '../auth/rate-limit.ts'
import type { Handlers } from '../serve.ts'

/** What a unit reads about itself: its summary, what waits for approval, the audit log, its numbers, and the rights of its key. */
export function unitHandlers(services: Services, rates: RateLimits) {
  const { db } = services
  return {
    getSummary: ({ principal, query }) => summaryOf(db, unitOf(principal, query.unitId)),
    listApprovals: ({ principal, query }) => listApprovals(services, principal, query),
    listAudit: ({ principal, query }) => listAudit(db, principal, query),
    getExecutiveMetrics: ({ principal, query }) => getExecutiveMetrics(services, principal, query),
    getTrend: ({ principal, query }) => getTrend(services, principal, query),
    getKey: async ({ principal }) => ({
      ...(await getOwnKey(services, principal)),
      limits: limitsOf(rates),
    }),
  } satisfies Partial<Handlers>
}
