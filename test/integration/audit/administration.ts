import { upsertPerson } from '../../../dev/people.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { createSession } from '../../../src/services/credentials.ts'
import type { World } from '../../fixtures/api.ts'
import type { Answered } from '../../fixtures/call.ts'

/** How a system administrator's calls succeed: with things of unit b. */
export const administration = {
  adminCreateUnit: (world: World) => byAdministrator(world, 'adminCreateUnit'),
  adminEditUnit: (world: World) => byAdministrator(world, 'adminEditUnit', { id: world.units.b }),
  adminChangeRoles: async (world: World) => {
    const personId = await newPerson(world, 'member')
    return byAdministrator(world, 'adminChangeRoles', {
      id: world.units.b,
      body: { personId, add: ['editor'] },
    })
  },
  adminCreatePerson: (world: World) => byAdministrator(world, 'adminCreatePerson'),
  adminEditPerson: async (world: World) =>
    byAdministrator(world, 'adminEditPerson', { id: await newPerson(world, 'person') }),
  adminCreateKey: (world: World) =>
    byAdministrator(world, 'adminCreateKey', { body: { unitId: world.units.b, name: 'new' } }),
  adminRevokeKey: async (world: World) => {
    const [, id] = (await world.newKey(world.units.b)).split('_')
    return byAdministrator(world, 'adminRevokeKey', { id: id! })
  },
  adminCreateCategory: (world: World) => byAdministrator(world, 'adminCreateCategory'),
  adminEditCategory: (world: World) => byAdministrator(world, 'adminEditCategory', { id: 'mail' }),
  adminSetQuota: (world: World) =>
    byAdministrator(world, 'adminSetQuota', { body: { scope: world.units.b, channel: 'chat', limit: 10 } }),
}

/** With the operation's own example where no body is given. */
async function byAdministrator(
  world: World,
  operation: OperationId,
  { id, body }: { id?: string; body?: object } = {},
): Promise<Answered> {
  const { db } = world.database
  const personId = await newPerson(world, 'administrator', true)
  const { token } = await createSession(db, 'operator:cli', { personId, hours: 1 })
  const { bodyExample }: Endpoint = endpoints[operation]
  const sent = body ?? bodyExample
  return world.call(operation, {
    session: token,
    ...(id && { id }),
    ...(sent !== undefined && { body: sent }),
  })
}

function newPerson({ database }: World, name: string, systemAdmin = false): Promise<string> {
  return upsertPerson(database.db, { name, email: `${name}@audit.example.edu`, systemAdmin })
}
