import { upsertPerson } from '../../../dev/people.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { createSession } from '../../../src/services/identity/session.ts'
import { suppressAddresses } from '../../../src/services/suppression/suppress.ts'
import type { Api } from '../../fixtures/api.ts'
import type { CallResponse } from '../../fixtures/call.ts'
import { insertRow } from '../../fixtures/rows.ts'

/** How a system administrator's calls succeed: with objects of unit b. */
export const administration = {
  adminCreateUnit: (api: Api) => byAdministrator(api, 'adminCreateUnit'),
  adminEditUnit: (api: Api) =>
    byAdministrator(api, 'adminEditUnit', { id: api.units.b, body: { timeZone: 'Europe/Paris' } }),
  adminChangeRoles: async (api: Api) => {
    const personId = await newPerson(api, 'member')
    return byAdministrator(api, 'adminChangeRoles', {
      id: api.units.b,
      body: { personId, add: ['editor'] },
    })
  },
  adminCreatePerson: (api: Api) => byAdministrator(api, 'adminCreatePerson'),
  adminEditPerson: async (api: Api) =>
    byAdministrator(api, 'adminEditPerson', { id: await newPerson(api, 'person') }),
  adminCreateKey: (api: Api) =>
    byAdministrator(api, 'adminCreateKey', { body: { unitId: api.units.b, name: 'new' } }),
  adminRevokeKey: async (api: Api) => {
    const [, id] = (await api.newKey(api.units.b)).split('_')
    return byAdministrator(api, 'adminRevokeKey', { id: id! })
  },
  adminCreateEventKey: (api: Api) =>
    byAdministrator(api, 'adminCreateEventKey', { body: newEventKey(api, 'created') }),
  adminRevokeEventKey: async (api: Api) => {
    const { id } = (await byAdministrator(api, 'adminCreateEventKey', { body: newEventKey(api, 'old') })).body
    return byAdministrator(api, 'adminRevokeEventKey', { id })
  },
  adminFindSuppression: (api: Api) => byAdministrator(api, 'adminFindSuppression'),
  adminLiftSuppression: async (api: Api) => {
    const { address, channel } = endpoints.adminLiftSuppression.bodyExample
    await api.database.db
      .transaction()
      .execute((db) =>
        suppressAddresses({ ...api.services, db }, { channel, why: 'complaint', addresses: [address] }),
      )
    return byAdministrator(api, 'adminLiftSuppression')
  },
  adminCreateLookupEndpoint: (api: Api) =>
    byAdministrator(api, 'adminCreateLookupEndpoint', {
      body: { origin: 'https://new.example.edu', unitId: api.units.b },
    }),
  adminDeleteLookupEndpoint: async (api: Api) => {
    const endpoint = { origin: 'https://old.example.edu', unit_id: api.units.b, created_by: 'operator:test' }
    const { id } = await insertRow(api.database.db, 'lookup_endpoint', endpoint)
    return byAdministrator(api, 'adminDeleteLookupEndpoint', { id })
  },
  adminCreateCategory: (api: Api) => byAdministrator(api, 'adminCreateCategory'),
  adminEditCategory: (api: Api) => byAdministrator(api, 'adminEditCategory', { id: 'mail' }),
  adminSetValueNames: (api: Api) => byAdministrator(api, 'adminSetValueNames'),
  adminSetQuota: (api: Api) =>
    byAdministrator(api, 'adminSetQuota', { body: { scope: api.units.b, channel: 'chat', limit: 10 } }),
}

/** With the operation's own example where no body is given. */
async function byAdministrator(
  api: Api,
  operation: OperationId,
  { id, body }: { id?: string; body?: object } = {},
): Promise<CallResponse> {
  const { db } = api.database
  const personId = await newPerson(api, 'administrator', true)
  const { token } = await createSession(db, 'operator:cli', { personId, hours: 1 })
  const { bodyExample }: Endpoint = endpoints[operation]
  const sent = body ?? bodyExample
  return api.call(operation, {
    session: token,
    ...(id && { id }),
    ...(sent !== undefined && { body: sent }),
  })
}

const newEventKey = (api: Api, source: string) => ({ unitId: api.units.b, name: 'SIS', sources: [source] })

function newPerson({ database }: Api, name: string, systemAdmin = false): Promise<string> {
  return upsertPerson(database.db, { name, email: `${name}@audit.example.edu`, systemAdmin })
}
