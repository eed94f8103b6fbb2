import { randomUUID } from 'node:crypto'
import type { Endpoint } from '../../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../../src/contract/endpoints.ts'
import type { Api } from '../../../fixtures/api.ts'
import type { CallOptions, CallResponse } from '../../../fixtures/call.ts'
import { newMessage } from '../../../fixtures/new-message.ts'
import { newScenario } from '../../../fixtures/new-scenario.ts'
import { makeObject } from '../../../fixtures/objects.ts'
import { photo } from '../../../fixtures/pictures.ts'
import type { Verdict } from './expected.ts'

const verdicts: readonly string[] = [
  'unauthenticated',
  'invalid_credential',
  'not_bound',
  'forbidden',
  'identity_api_forbidden',
  'unit_required',
  'self_approval',
]

/** The parameters that an operation cannot do without. */
export const parameters: { [id in OperationId]?: Record<string, string> } = {
  previewUnsaved: { channel: 'chat' },
  traceMessage: { uid: 's1' },
  listAudienceValues: { dimension: 'tags' },
  adminListValueNames: { dimension: 'tags' },
}

/** Calls an operation with its example about an object. */
export async function request(
  api: Api,
  id: OperationId,
  as: CallOptions,
  object: string,
): Promise<CallResponse> {
  const endpoint: Endpoint = endpoints[id]
  const [upload] = Object.entries(endpoint.upload ?? {})
  return api.call(id, {
    ...as,
    ...((parameters[id] || as.query) && { query: { ...parameters[id], ...as.query } }),
    id: object,
    headers: {
      'idempotency-key': randomUUID(),
      ...(upload && { 'content-type': upload[0] }),
      ...as.headers,
    },
    ...(endpoint.body && { body: exampleBody(id) }),
    ...(upload && { raw: upload[1].line ? upload[1].example : await photo() }),
  })
}

/** How far a call got. Its effect past authentication, or why its body was rejected, does not matter here. */
export function verdictOf({ code, body }: CallResponse, { unit }: Endpoint): Verdict {
  if (code !== null && verdicts.includes(code)) return code as Verdict
  // An object named in the body may be unknown too; the details show it.
  if (code === 'not_found' && unit === 'object' && body.error.details === undefined) return 'not_found'
  return 'open'
}

/** An operation that needs an object which none of the others has changed. */
const untouched: OperationId[] = ['startRuns']

/** One object for each tag; `gone`: the last call deleted it. */
export function objectsIn(api: Api) {
  const ids = new Map<string, Promise<string>>()
  return {
    async of(id: OperationId): Promise<string> {
      const { tag, path }: Endpoint = endpoints[id]
      if (!path.includes('{')) return ''
      const name = untouched.includes(id) ? id : tag
      if (!ids.has(name)) ids.set(name, makeObject[tag]?.(api) ?? Promise.resolve(randomUUID()))
      return ids.get(name)!
    },
    gone: (id: OperationId) => void ids.delete(endpoints[id].tag),
  }
}

/** Something that waits for an approver, written by the caller. */
export async function authored(api: Api, id: OperationId, as: CallOptions): Promise<string> {
  if (endpoints[id].tag === 'Catalogue') {
    const { bodyExample } = endpoints.createTemplate
    const body = { ...bodyExample, categoryId: 'news' }
    return (await api.call('createTemplate', { ...as, body })).body.id
  }
  if (endpoints[id].tag === 'Events') {
    const { bodyExample } = endpoints.createEventBinding
    const audience = { kind: 'query', roles: ['student'] }
    const fields = { ...bodyExample, categoryId: 'news', templateId: api.templates.approved, audience }
    return (await api.call('createEventBinding', { ...as, body: { ...fields, type: randomUUID() } })).body.id
  }
  if (endpoints[id].tag === 'Scenarios') {
    const { body } = await api.call('createScenario', { ...as, body: newScenario({ categoryId: 'manual' }) })
    await api.call('putScenario', { ...as, id: body.id, body: { state: 'active' } })
    return body.id
  }
  const headers = { 'idempotency-key': randomUUID() }
  const { body } = await api.call('createMessage', { ...as, headers, body: newMessage })
  await api.call('submitMessage', { ...as, id: body.id })
  return body.id
}

/** The example of an operation, as often as it is sent: its category exists, and its names are new. */
export function exampleBody(id: OperationId): unknown {
  const { bodyExample: example }: Endpoint = endpoints[id]
  if (typeof example !== 'object' || example === null) return example
  return {
    ...example,
    ...('categoryId' in example && { categoryId: 'news' }),
    ...(isAboutContent(example) && { scenario: { ...example.scenario, categoryId: 'news' } }),
    ...(isAboutMessage(example) && { message: { ...example.message, categoryId: 'news' } }),
    ...(id === 'createTopic' && { name: { 'zh-TW': randomUUID() } }),
  }
}

/** Whether the example has a message in its body, which names a category too. */
function isAboutMessage(example: object): example is { message: object } {
  return 'message' in example
}

/** Whether the example has a scenario in its body, which names a category too. */
function isAboutContent(example: object): example is { scenario: object } {
  return 'scenario' in example
}
