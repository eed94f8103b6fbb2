import type { FastifyInstance } from 'fastify'
import { findKey } from '../../db/queries/identity/key.ts'
import { actorOf } from '../../domain/rights/principal.ts'
import { createCategory, editCategory, listAllCategories } from '../../services/admin/categories.ts'
import { createEventKey, listEventKeys, revokeEventKey } from '../../services/admin/event-keys.ts'
import { createKey, listKeys, revokeKey, toProducerKey } from '../../services/admin/keys.ts'
import {
  createLookupEndpoint,
  deleteLookupEndpoint,
  listLookupEndpoints,
} from '../../services/admin/lookup-endpoints.ts'
import { assertMayTrack } from '../../services/admin/may-track.ts'
import { changeRoles, listMembers } from '../../services/admin/members.ts'
import { createPerson, editPerson, listPersons } from '../../services/admin/persons.ts'
import { getQuota, setQuota } from '../../services/admin/quota.ts'
import { createUnit, editUnit, listUnits } from '../../services/admin/units.ts'
import type { Services } from '../../services/context.ts'
import { liftSuppression, lookUpSuppression } from '../../services/suppression/suppressions.ts'
import { serve } from '../serve.ts'

/** Operations of system administrators (docs/api/administration.md); the command line calls the same services. */
export function adminRoutes(app: FastifyInstance, services: Services): void {
  const { db } = services

  serve(app, 'adminListUnits', ({ query }) => listUnits(db, query))

  serve(app, 'adminCreateUnit', ({ principal, body }) => createUnit(db, actorOf(principal), body))

  serve(app, 'adminEditUnit', ({ principal, params, body }) =>
    editUnit(db, actorOf(principal), params.id, body),
  )

  serve(app, 'adminListMembers', ({ params }) => listMembers(db, params.id))

  serve(app, 'adminChangeRoles', ({ principal, params, body }) =>
    changeRoles(db, actorOf(principal), params.id, body),
  )

  serve(app, 'adminListPersons', ({ query }) => listPersons(db, query))

  serve(app, 'adminCreatePerson', ({ principal, body }) => createPerson(db, actorOf(principal), body))

  serve(app, 'adminEditPerson', ({ principal, params, body }) =>
    editPerson(db, actorOf(principal), params.id, body),
  )

  serve(app, 'adminListKeys', ({ query }) => listKeys(db, query))

  serve(app, 'adminCreateKey', ({ principal, body }) => createKey(db, actorOf(principal), body))

  serve(app, 'adminRevokeKey', async ({ principal, params }) => {
    await revokeKey(db, actorOf(principal), params.id)
    return toProducerKey((await findKey(db, params.id))!)
  })

  serve(app, 'adminListEventKeys', ({ query }) => listEventKeys(services, query))

  serve(app, 'adminCreateEventKey', ({ principal, body }) =>
    createEventKey(services, actorOf(principal), body),
  )

  serve(app, 'adminRevokeEventKey', ({ principal, params }) =>
    revokeEventKey(services, actorOf(principal), params.id),
  )

  serve(app, 'adminFindSuppression', ({ principal, body }) =>
    lookUpSuppression(services, actorOf(principal), body),
  )

  serve(app, 'adminLiftSuppression', ({ principal, body }) =>
    liftSuppression(services, actorOf(principal), body),
  )

  serve(app, 'adminListCategories', ({ query }) => listAllCategories(db, query))

  serve(app, 'adminCreateCategory', ({ principal, body }) => {
    assertMayTrack(services, body.links)
    return createCategory(db, actorOf(principal), body)
  })

  serve(app, 'adminEditCategory', ({ principal, params, body }) => {
    assertMayTrack(services, body.links)
    return editCategory(db, actorOf(principal), params.id, body)
  })

  serve(app, 'adminGetQuota', ({ query }) => getQuota(db, services, query))

  serve(app, 'adminSetQuota', ({ principal, body }) => setQuota(db, actorOf(principal), services, body))

  serve(app, 'adminListLookupEndpoints', ({ query }) => listLookupEndpoints(services, query))

  serve(app, 'adminCreateLookupEndpoint', ({ principal, body }) =>
    createLookupEndpoint(services, actorOf(principal), body),
  )

  serve(app, 'adminDeleteLookupEndpoint', ({ principal, params }) =>
    deleteLookupEndpoint(services, actorOf(principal), params.id),
  )
}
