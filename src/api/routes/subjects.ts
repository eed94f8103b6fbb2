import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { bindAddress, byKey, unbindAddress } from '../../services/subjects/addresses.ts'
import { grantConsent, revokeConsent } from '../../services/subjects/consents.ts'
import { getSubject } from '../../services/subjects/find.ts'
import { resolveSubjects } from '../../services/subjects/resolve.ts'
import { updateSubject } from '../../services/subjects/update.ts'
import { serve } from '../serve.ts'

/** Subjects: addresses, attributes, consents (docs/api/subjects.md). */
export function subjectRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'bindAddress', ({ principal, params, body }) => bindAddress(services, principal, params, body))

  serve(app, 'unbindAddress', ({ principal, params }) => unbindAddress(services.db, byKey(principal), params))

  serve(app, 'updateSubject', ({ principal, params, body }) =>
    updateSubject(services, principal, params.uid, body),
  )

  serve(app, 'getSubject', ({ principal, params }) => getSubject(services, principal, params.uid))

  serve(app, 'resolveSubjects', ({ principal, body }) => resolveSubjects(services, principal, body))

  serve(app, 'grantConsent', ({ principal, params, body }) =>
    grantConsent(services, principal, params.uid, body),
  )

  serve(app, 'revokeConsent', ({ principal, params, query, body }) =>
    revokeConsent(services, principal, params.uid, { inQuery: query.scope, inBody: body.scope }),
  )
}
