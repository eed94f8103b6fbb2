import { describe, expect, it } from 'vitest'
import { Carillon } from '../../../client/src/index.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { operationOf } from '../../fixtures/library.ts'

/** What the library has no method for, by why. `request` calls them. */
const left: Record<string, readonly OperationId[]> = {
  'a recipient calls it from the embedded chat app, with an ID token and no key': [
    'listInbox',
    'countUnread',
    'markInboxItemRead',
    'getPreferences',
    'putPreferences',
  ],
  'a channel or the assistant calls it, with a signature of its own': [
    'receiveChatWebhook',
    'receiveEmailWebhook',
    'receiveAvatarWebhook',
  ],
  'a browser calls it, and keeps the cookie': [
    'beginSignIn',
    'finishSignIn',
    'signOut',
    'getSession',
    'editSession',
  ],
  'an orchestrator asks it, or a generator of clients': ['livez', 'readyz', 'openapi'],
}

/**
 * Calls every method of every resource with arguments that have no meaning, and returns the operations that were
 * requested.
 */
async function callEverything(): Promise<(OperationId | undefined)[]> {
  const calls: (OperationId | undefined)[] = []
  const answering: typeof fetch = async (input, init) => {
    calls.push(operationOf(String(init?.method), new URL(String(input)).pathname))
    return Response.json({ items: [], nextCursor: null, state: 'submitted' })
  }
  const carillon = new Carillon({ baseUrl: 'https://hub.example.org', key: 'hub_a_b', fetch: answering })
  const resources = Object.values(carillon).filter((value): value is object => typeof value === 'object')
  for (const resource of [carillon, ...resources])
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(resource)))
      if (!['constructor', 'request'].includes(name))
        await Reflect.get(resource, name).call(resource, 'x', { id: 'x', secret: 'x' }, {})
  return calls
}

function ids(): OperationId[] {
  return Object.keys(endpoints) as OperationId[]
}

describe('the client library', () => {
  it('has a method for every operation, or there is a reason', async () => {
    const served = new Set(await callEverything())
    const reasons = Object.values(left).flat()
    expect(ids().filter((id) => !served.has(id) && !reasons.includes(id))).toEqual([])
    expect(reasons.filter((id) => served.has(id))).toEqual([])
  })

  it('calls nothing else', async () => {
    const calls = await callEverything()
    expect(calls.length).toBeGreaterThan(100)
    expect(calls.filter((operation) => operation === undefined)).toEqual([])
  })
})
