import type { FastifyInstance } from 'fastify'
import { listCategories } from '../../services/categories.ts'
import type { Services } from '../../services/context.ts'
import { approveTemplate, rejectTemplate } from '../../services/templates/decide.ts'
import { createTemplate, getTemplate, listTemplates } from '../../services/templates/templates.ts'
import { getUnit } from '../../services/unit.ts'
import { serve } from '../serve.ts'

/** Categories, templates, and the unit itself (interface, Endpoints C). */
export function catalogueRoutes(app: FastifyInstance, services: Services): void {
  const { db } = services

  serve(app, db, 'listCategories', ({ query }) => listCategories(services, query))

  serve(app, db, 'listTemplates', ({ principal, query }) => listTemplates(services, principal, query))

  serve(app, db, 'createTemplate', ({ principal, body }) => createTemplate(services, principal, body))

  serve(app, db, 'getTemplate', ({ principal, params }) => getTemplate(services, principal, params.id))

  serve(app, db, 'approveTemplate', ({ principal, params, body }) =>
    approveTemplate(services, principal, params.id, body),
  )

  serve(app, db, 'rejectTemplate', ({ principal, params, body }) =>
    rejectTemplate(services, principal, params.id, body),
  )

  serve(app, db, 'getUnit', ({ principal, params }) => getUnit(services, principal, params.id))
}
