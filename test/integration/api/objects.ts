import { randomUUID } from 'node:crypto'
import type { Tag } from '../../../src/contract/endpoint.ts'
import type { Answered } from './call.ts'
import { delivered } from './delivered.ts'
import { newMessage } from './new-message.ts'
import { bind } from './signed-event.ts'
import type { World } from './world.ts'

/**
 * Makes what the paths of a chapter of the interface name, and answers its id: an object of unit a, or, where a chapter
 * is for administrative units, of the office.
 */
export const makeObject: Partial<Record<Tag, (world: World) => Promise<string>>> = {
  Messages: async (world) => {
    const headers = { 'idempotency-key': randomUUID() }
    return idOf(await world.call('createMessage', { key: world.keys.a, headers, body: newMessage }))
  },
  Catalogue: async ({ templates }) => templates.draft,
  Topics: async ({ topics }) => topics.active,
  Groups: async (world) => {
    const body = { name: 'Group', kind: 'static', legalBasis: 'consent' }
    return idOf(await world.call('createGroup', { key: world.keys.a, body }))
  },
  Units: async ({ units }) => units.a,
  Identity: async (world) => {
    const uid = `made-${randomUUID()}`
    const body = { address: `U${randomUUID().replaceAll('-', '')}` }
    await world.call('bindAddress', { key: world.keys.office, id: uid, body })
    return uid
  },
  Imports: async (world) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    return idOf(
      await world.call('createImport', { key: world.keys.office, raw: '{"uid": "imported"}\n', headers }),
    )
  },
  Events: (world) => bind(world, { type: randomUUID() }),
  Recipients: async (world) => (await delivered(world, newMessage)).waveId,
  Callbacks: async (world) => {
    const body = { url: 'https://hooks.example.edu/carillon' }
    return idOf(await world.call('createCallback', { key: world.keys.a, body }))
  },
}

function idOf({ body, code }: Answered): string {
  if (code !== null) throw new Error(`The object was refused: ${JSON.stringify(body)}`)
  return body.id
}
