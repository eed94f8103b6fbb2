import { Readable } from 'node:stream'
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

  serve(app, 'exportSubject', async ({ principal, params, reply }) => {
    const parts = await exportSubject(services, principal, params.uid)
    return reply.type('application/json; charset=utf-8').send(Readable.from(parts, { objectMode: false }))
  })

  serve(app, 'eraseSubject', ({ principal, params }) => eraseSubject(services, principal, params.uid))
}
