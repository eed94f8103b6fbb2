import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { listSubjectDeliveries, listSubjectTurns } from '../../services/subjects/deliveries.ts'
import { eraseSubject } from '../../services/subjects/erase.ts'
import { exportSubject } from '../../services/subjects/export.ts'
import { serve } from '../serve.ts'

/** Deliveries, turns, export and erasure of one subject (docs/api/subjects.md). */
export function subjectRecordRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'listSubjectDeliveries', ({ principal, params, query }) =>
    listSubjectDeliveries(services, principal, params.uid, query),
  )

  serve(app, 'listSubjectTurns', ({ principal, params, query }) =>
    listSubjectTurns(services, principal, params.uid, query),
  )

  serve(app, 'exportSubject', ({ principal, params }) => exportSubject(services, principal, params.uid))

  serve(app, 'eraseSubject', ({ principal, params }) => eraseSubject(services, principal, params.uid))
}
