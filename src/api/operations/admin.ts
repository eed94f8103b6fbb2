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
import { listValueNames, setValueNames } from '../../services/admin/value-names.ts'
import type { Services } from '../../services/context.ts'
import { liftSuppression, lookUpSuppression } from '../../services/suppression/suppressions.ts'
import type { Handlers } from '../serve.ts'

/** Operations of system administrators (docs/api/administration.md); the command line calls the same services. */
export function adminHandlers(services: Services) {
  const { db } = services
  return {
    adminListUnits: ({ query }) => listUnits(db, query),
    adminCreateUnit: ({ principal, body }) => createUnit(db, actorOf(principal), body),
    adminEditUnit: ({ principal, params, body }) => editUnit(db, actorOf(principal), params.id, body),
    adminListMembers: ({ params }) => listMembers(db, params.id),
    adminChangeRoles: ({ principal, params, body }) => changeRoles(db, actorOf(principal), params.id, body),
    adminListPersons: ({ query }) => listPersons(db, query),
    adminCreatePerson: ({ principal, body }) => createPerson(db, actorOf(principal), body),
    adminEditPerson: ({ principal, params, body }) => editPerson(db, actorOf(principal), params.id, body),
    adminListKeys: ({ query }) => listKeys(db, query),
    adminCreateKey: ({ principal, body }) => createKey(db, actorOf(principal), body),
    adminRevokeKey: async ({ principal, params }) => {
      await revokeKey(db, actorOf(principal), params.id)
      return toProducerKey((await findKey(db, params.id))!)
    },
    adminListEventKeys: ({ query }) => listEventKeys(services, query),
    adminCreateEventKey: ({ principal, body }) => createEventKey(services, actorOf(principal), body),
    adminRevokeEventKey: ({ principal, params }) => revokeEventKey(services, actorOf(principal), params.id),
    adminFindSuppression: ({ principal, body }) => lookUpSuppression(services, actorOf(principal), body),
    adminLiftSuppression: ({ principal, body }) => liftSuppression(services, actorOf(principal), body),
    adminListCategories: ({ query }) => listAllCategories(db, query),
    adminCreateCategory: ({ principal, body }) => {
      assertMayTrack(services, body.links)
      return createCategory(db, actorOf(principal), body)
    },
    adminEditCategory: ({ principal, params, body }) => {
      assertMayTrack(services, body.links)
      return editCategory(db, actorOf(principal), params.id, body)
    },
    adminListValueNames: ({ query }) => listValueNames(db, query),
    adminSetValueNames: ({ principal, body }) => setValueNames(db, actorOf(principal), body),
    adminGetQuota: ({ query }) => getQuota(db, services, query),
    adminSetQuota: ({ principal, body }) => setQuota(db, actorOf(principal), services, body),
    adminListLookupEndpoints: ({ query }) => listLookupEndpoints(services, query),
    adminCreateLookupEndpoint: ({ principal, body }) =>
      createLookupEndpoint(services, actorOf(principal), body),
    adminDeleteLookupEndpoint: ({ principal, params }) =>
      deleteLookupEndpoint(services, actorOf(principal), params.id),
  } satisfies Partial<Handlers>
}
