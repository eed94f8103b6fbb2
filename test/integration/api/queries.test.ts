import { describe, expect, it } from 'vitest'
import { isBodySigned } from '../../../src/api/auth/authenticate.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { describeApi } from '../../../src/contract/openapi/document.ts'
import { newEvent, signatureHeaders } from '../../fixtures/signed-event.ts'
import { forMatrix } from './matrix/api.ts'
import { type CallerName, callers } from './matrix/callers.ts'
import { expectedVerdict } from './matrix/expected.ts'
import { request } from './matrix/request.ts'

const { api, as, objects } = forMatrix()

/** They take whatever the identity provider or a channel adds. */
const takeAny: string[] = ['finishSignIn', 'receiveChatWebhook', 'receiveEmailWebhook']
const table = Object.entries<Endpoint>(endpoints)
const described = describeApi(endpoints)
const strict = table.filter(([id, endpoint]) => !takeAny.includes(id) && !isBodySigned(endpoint))
const ofSessions = strict.filter(([, { auth }]) => auth.includes('session'))

/** Calls an operation as somebody who may, if there is one, with a query. */
async function ask(id: OperationId, query: Record<string, string>, of: readonly CallerName[] = callers) {
  const caller = of.find((name) => expectedVerdict(endpoints[id], name) === 'open') ?? 'editor'
  const object = /^adminRevoke/.test(id) ? 'nobody' : await objects.of(id)
  const answer = await request(api, id, { ...(await as[caller]()), query }, object)
  if (answer.status === 200 && endpoints[id].method === 'DELETE') objects.gone(id)
  return answer
}

describe.each(strict.map(([id]) => id as OperationId))('%s', (id) => {
  it('rejects a query parameter that it does not know, by name', async () => {
    const { code, body } = await ask(id, { colour: 'red' })
    expect(code).toBe('validation_error')
    expect(body.error.message).toContain('query: must not have the unknown parameter colour')
    expect(body.error.details.issues).toHaveLength(1)
  })
})

describe.each(ofSessions.map(([id]) => id as OperationId))('%s', (id) => {
  it('knows unitId, as the description says', async () => {
    const people = callers.filter((name) => !/key/i.test(name))
    const { body } = await ask(id, { unitId: api.units.a }, people)
    expect(JSON.stringify(body)).not.toContain('unknown parameter')
    const { path, method } = endpoints[id]
    const { parameters = [] } = described.paths[path]![method.toLowerCase()]!
    expect(parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)).toContain(
      'unitId',
    )
  })
})

const lists = strict.filter(([, { query }]) => query && 'cursor' in query.shape)

describe.each(lists.map(([id]) => id as OperationId))('%s', (id) => {
  it.each(['x', '💥', 'campus-events!'])('rejects the cursor %s, which no page returned', async (cursor) => {
    const { code, body } = await ask(id, { cursor })
    expect(code).toBe('validation_error')
    expect(body.error.details.issues).toMatchObject([
      { path: 'cursor', message: 'must be nextCursor of the previous page' },
    ])
  })
})

it('a producer’s operation does not know unitId', async () => {
  const { code, body } = await api.call('getSubject', {
    key: api.keys.a,
    id: 's1',
    query: { unitId: api.units.a },
  })
  expect(code).toBe('validation_error')
  expect(body.error.message).toContain('this operation has none')
})

it('an event’s query is checked once its signature is verified', async () => {
  const raw = JSON.stringify(newEvent())
  const query = { colour: 'red' }
  const send = (headers: Record<string, string>) =>
    api.call('receiveEvent', { id: 'sis', raw, query, headers })
  expect((await send(signatureHeaders(raw, { secret: 'guessed' }))).code).toBe('bad_signature')
  expect((await send(signatureHeaders(raw))).code).toBe('validation_error')
})

it('webhooks, links in mails and the end of a sign-in take any', async () => {
  const query = { utm_source: 'mail', x: '\u0000' }
  const headers = { 'x-mock-signature': 'ok' }
  for (const id of ['receiveChatWebhook', 'receiveEmailWebhook'] as const)
    expect((await api.call(id, { headers, query, body: { events: [] } })).status).toBe(200)
  expect((await api.call('finishSignIn', { query: { state: 'x', iss: 'y' } })).code).toBe('not_configured')
  expect((await api.app.inject('/l/nothing?utm_source=mail')).statusCode).toBe(404)
})

it('an empty unitId counts as omitted, in a query and in a body', async () => {
  const body = { unitId: '', name: { 'zh-TW': '社團' } }
  const { twoUnits, editor } = api.sessions
  expect((await api.call('listTopics', { session: twoUnits, query: { unitId: '' } })).code).toBe(
    'unit_required',
  )
  expect((await api.call('createTopic', { session: twoUnits, body })).code).toBe('unit_required')
  expect((await api.call('listTopics', { session: editor, query: { unitId: '' } })).status).toBe(200)
  expect((await api.call('createTopic', { session: editor, body })).body.unitId).toBe(api.units.a)
})
