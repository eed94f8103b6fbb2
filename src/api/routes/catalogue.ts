import type { FastifyInstance } from 'fastify'
import { listCategories } from '../../services/catalogue/categories.ts'
import type { Services } from '../../services/context.ts'
import { getUnit } from '../../services/identity/unit.ts'
import { approveTemplate, rejectTemplate } from '../../services/templates/decide.ts'
import { createTemplate, getTemplate, listTemplates } from '../../services/templates/templates.ts'
import { createTemplateVersion, listTemplateVersions } from '../../services/templates/versions.ts'
import { serve } from '../serve.ts'

/** Categories, templates and units (docs/api/templates.md, docs/api/units.md). */
export function catalogueRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'listCategories', ({ query }) => listCategories(services, query))

  serve(app, 'listTemplates', ({ principal, query }) => listTemplates(services, principal, query))

  serve(app, 'createTemplate', ({ principal, body }) => createTemplate(services, principal, body))

  serve(app, 'getTemplate', ({ principal, params }) => getTemplate(services, principal, params.id))

  serve(app, 'listTemplateVersions', ({ principal, params, query }) =>
    listTemplateVersions(services, principal, params.id, query),
  )

  serve(app, 'createTemplateVersion', ({ principal, params, body }) =>
    createTemplateVersion(services, principal, params.id, body),
  )

  serve(app, 'approveTemplate', ({ principal, params, body }) =>
    approveTemplate(services, principal, params.id, body),
  )

  serve(app, 'rejectTemplate', ({ principal, params, body }) =>
    rejectTemplate(services, principal, params.id, body),
  )

  serve(app, 'getUnit', ({ principal, params }) => getUnit(services, principal, params.id))
}
