import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { createPattern, getPattern, listPatterns, patchPattern } from '../../services/patterns/patterns.ts'
import { getPatternReport, listRegistrations } from '../../services/patterns/report.ts'
import { serve } from '../serve.ts'

/** Registrations, surveys, and questions whether people come (docs/api/patterns.md). */
export function patternRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'listPatterns', ({ principal, query }) => listPatterns(services, principal, query))

  serve(app, 'createPattern', ({ principal, body }) => createPattern(services, principal, body))

  serve(app, 'getPattern', ({ principal, params }) => getPattern(services, principal, params.id))

  serve(app, 'patchPattern', ({ principal, params, body }) =>
    patchPattern(services, principal, params.id, body),
  )

  serve(app, 'getPatternReport', ({ principal, params }) => getPatternReport(services, principal, params.id))

  serve(app, 'listRegistrations', ({ principal, params, query }) =>
    listRegistrations(services, principal, params.id, query),
  )
}
