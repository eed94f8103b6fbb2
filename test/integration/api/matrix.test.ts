import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isBodySigned } from '../../../src/api/auth/authenticate.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { forMatrix } from './matrix/api.ts'
import { type CallerName, callers } from './matrix/callers.ts'
import { expectedVerdict } from './matrix/expected.ts'
import { whoMayWhat } from './matrix/page.ts'
import { authored, exampleBody, parameters, request, verdictOf } from './matrix/request.ts'
import { resultOf, successOf, summarise } from './matrix/results.ts'

const { api, as, objects } = forMatrix()

const guarded = Object.entries<Endpoint>(endpoints).filter(([, { auth }]) => auth.length > 0)
const those = (which: (endpoint: Endpoint) => boolean) =>
  guarded.filter(([, endpoint]) => which(endpoint)).map(([id]) => id as OperationId)
const personal = those((endpoint) => !isBodySigned(endpoint))
const ofOneUnit = those(({ unit, auth }) => auth.includes('session') && /body|query/.test(unit))

describe.each(those(() => true))('%s', (id) => {
  const endpoint: Endpoint = endpoints[id]

  it('responds to every caller by its row in the table', async () => {
    const answers: Partial<Record<CallerName, string>> = {}
    for (const caller of callers) {
      const call = await as[caller]()
      const own = expectedVerdict(endpoint, caller) === 'self_approval'
      const about = own ? await authored(api, id, call) : await objects.of(id)
      const answer = await request(api, id, call, about)
      const verdict = verdictOf(answer, endpoint)
      answers[caller] = verdict === 'open' ? summarise(answer) : verdict
      if (verdict === 'open' && endpoint.method === 'DELETE') objects.gone(id)
    }
    const verdicts = callers.map((caller) => {
      const verdict = expectedVerdict(endpoint, caller)
      return [caller, verdict === 'open' ? resultOf(id, caller) : verdict]
    })
    expect(answers).toEqual(Object.fromEntries(verdicts))
  })

  it('authenticates the caller before anything else', async () => {
    const answer = await api.call(id, { raw: '{', id: 'no-id', query: { limit: 'x' } })
    expect(answer.code).toBe('unauthenticated')
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
  })
})

const malformed = ['Basic dTpw', 'Basic', 'hub_a_b', `Bearer hub_${'a'.repeat(99)}_b`, 'Bearer hub_a_b_c']

describe.each(personal)('%s', (id) => {
  it('rejects a malformed or unknown key', async () => {
    const wrong = `${api.keys.a.slice(0, -1)}${api.keys.a.endsWith('0') ? '1' : '0'}`
    for (const authorization of [...malformed, `Bearer ${wrong}`, 'Bearer hub_nobody_secret'])
      expect((await request(api, id, { headers: { authorization } }, '')).code, authorization).toBe(
        'invalid_credential',
      )
  })

  it('counts a header without a token as none', async () => {
    for (const authorization of ['', 'Bearer', 'bearer '])
      expect((await request(api, id, { headers: { authorization } }, '')).code, authorization).toBe(
        'unauthenticated',
      )
  })

  it('rejects an unknown, ended or expired session', async () => {
    for (const session of ['nonsense', api.sessions.over])
      expect((await request(api, id, { session }, '')).code).toBe('invalid_credential')
  })

  it('forbids caches to store responses to sessions', async () => {
    const { headers } = await request(api, id, await as.approver(), '')
    expect(headers['cache-control']).toBe('no-store')
  })
})

describe.each(ofOneUnit)('%s', (id) => {
  const { body }: Endpoint = endpoints[id]
  /** The operation's own example, in a unit that is named. */
  const inUnit = async (caller: CallerName, unitId: string) => {
    const call = await as[caller]()
    if (!body) return summarise(await request(api, id, { ...call, query: { unitId } }, ''))
    const headers = { 'idempotency-key': `${Math.random()}` }
    const named = { ...(exampleBody(id) as object), unitId }
    const query = parameters[id]
    return summarise(await api.call(id, { ...call, headers, body: named, ...(query && { query }) }))
  }

  it('accepts a unit of which the caller is a member, and no other', async () => {
    // The event type of the example is bound in the first unit.
    const others: { [other in OperationId]?: string } = {
      createMessage: '201',
      createSchedule: '201',
      createEventBinding: '409 invalid_transition',
    }
    expect(await inUnit('severalUnits', api.units.b)).toBe(others[id] ?? successOf(id))
    for (const unitId of [api.units.b, '01939a2e-0000-7000-8000-00000000dead', 'no-id'])
      expect(await inUnit('editor', unitId)).toBe('403 forbidden')
  })
})

it('a producer key’s unit is its own, whatever the body names', async () => {
  const headers = { 'idempotency-key': 'pinned' }
  const body = { ...newMessage, unitId: api.units.b }
  const { id } = (await api.call('createMessage', { key: api.keys.a, headers, body })).body
  expect((await api.call('getMessage', { key: api.keys.a, id })).body.unitId).toBe(api.units.a)
})

it('an invalid key is not replaced by a valid session', async () => {
  const headers = { authorization: 'Bearer hub_nobody_secret' }
  const answer = await api.call('listMessages', { ...(await as.editor()), headers })
  expect(answer.code).toBe('invalid_credential')
})

it('docs/api/who-may-what.md shows the same (UPDATE=1 writes it)', () => {
  const page = resolve(import.meta.dirname, '../../../docs/api/who-may-what.md')
  if (process.env.UPDATE) writeFileSync(page, whoMayWhat())
  expect(readFileSync(page, 'utf8')).toBe(whoMayWhat())
})
