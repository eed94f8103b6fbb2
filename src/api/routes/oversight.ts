import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/connect.ts'
import { summaryOf } from '../../db/queries/message/read.ts'
import { listAudit } from '../../services/identity/audit.ts'
import { unitOf } from '../../services/unit-access.ts'
import { serve } from '../serve.ts'

/** The summary of a unit and the audit log. */
export function oversightRoutes(app: FastifyInstance, db: Db): void {
  serve(app, 'getSummary', ({ principal, query }) => summaryOf(db, unitOf(principal, query.unitId)))

  serve(app, 'listAudit', ({ principal, query }) => listAudit(db, principal, query))
}
