import type { FastifyInstance } from 'fastify'
import { summaryOf } from '../../db/queries/message/read.ts'
import { listApprovals } from '../../services/approvals/list.ts'
import type { Services } from '../../services/context.ts'
import { listAudit } from '../../services/identity/audit.ts'
import { unitOf } from '../../services/unit-access.ts'
import { serve } from '../serve.ts'

/** The summary of a unit, what waits for approval there, and the audit log. */
export function oversightRoutes(app: FastifyInstance, services: Services): void {
  const { db } = services
  serve(app, 'getSummary', ({ principal, query }) => summaryOf(db, unitOf(principal, query.unitId)))

  serve(app, 'listApprovals', ({ principal, query }) => listApprovals(services, principal, query))

  serve(app, 'listAudit', ({ principal, query }) => listAudit(db, principal, query))
}
