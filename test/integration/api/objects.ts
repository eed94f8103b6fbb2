import type { Tag } from '../../../src/contract/endpoint.ts'
import { newMessage } from './new-message.ts'
import { bind } from './signed-event.ts'
import type { World } from './world.ts'

/** One object of unit a for each chapter of the interface whose paths name one, by its id. */
export async function objectsOf(world: World): Promise<Partial<Record<Tag, string>>> {
  const headers = { 'idempotency-key': 'objects' }
  const message = await world.call('createMessage', { key: world.keys.a, headers, body: newMessage })
  const url = 'https://hooks.example.edu/carillon'
  const callback = await world.call('createCallback', { key: world.keys.a, body: { url } })
  const list = { name: 'Group', kind: 'static', legalBasis: 'consent' }
  const group = await world.call('createGroup', { key: world.keys.a, body: list })
  const binding = await bind(world)
  return {
    Messages: message.body.id,
    Catalogue: world.templates.draft,
    Topics: world.topics.active,
    Groups: group.body.id,
    Units: world.units.a,
    Events: binding,
    Callbacks: callback.body.id,
  }
}
