import { beforeAll, expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { logLines } from '../../fixtures/log-lines.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { forFile } from '../../harness/for-file.ts'

const { log, lines } = logLines()

const api = forFile(() => startApi({ services: { log } }))
beforeAll(async () => {
  api.app.get('/fault', () => {
    throw new Error('key (address)=(canary@example.org) is not "canary"')
  })
})

it('a line shows operation, unit, message and outcome', async () => {
  const headers = { 'idempotency-key': 'log' }
  const answer = await api.call('createMessage', { key: api.keys.a, headers, body: newMessage })
  expect(lines.at(-1)).toMatchObject({
    operation: 'createMessage',
    caller: expect.stringMatching(/^key:/),
    unitId: api.units.a,
    messageId: answer.body.id,
    requestId: answer.headers['x-request-id'],
    status: 201,
    msg: 'request',
  })
})

it.each([
  ['a name of the caller’s own', 'gateway-7:0af7651916cd43dd', true],
  ['an address', 'mei@example.edu', false],
  ['a line', 'a1b2c3d4\te5f6', false],
  ['a short one', '42', false],
  ['a long one', 'x'.repeat(65), false],
])('the X-Request-Id of a request is kept if its form is one: %s', async (_, id, kept) => {
  const { headers } = await api.app.inject({ url: '/v1/categories', headers: { 'x-request-id': id } })
  expect(headers['x-request-id']).toMatch(kept ? new RegExp(`^${id}$`) : /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
})

it('a line names the caller and the unit, but no person', async () => {
  const lastOf = async (call: Promise<unknown>) => {
    await call
    const { caller, unitId } = lines.at(-1)!
    return { caller, unitId }
  }
  const { twoUnits, approver } = api.sessions
  const { a, b } = api.units
  const ofB = { session: twoUnits, query: { unitId: b } }
  expect(await lastOf(api.call('listMessages', { session: approver }))).toEqual({
    caller: 'session',
    unitId: a,
  })
  expect(await lastOf(api.call('listMessages', ofB))).toEqual({ caller: 'session', unitId: b })
  expect(await lastOf(api.call('listMessages', {}))).toEqual({ caller: 'none', unitId: null })
  const created = {
    session: twoUnits,
    headers: { 'idempotency-key': 'two' },
    body: { ...newMessage, unitId: a },
  }
  expect(await lastOf(api.call('createMessage', created))).toEqual({ caller: 'session', unitId: a })
})

it('an internal error is hidden from the caller; the log has its location, without personal data', async () => {
  const response = await api.app.inject('/fault')
  expect(response.json()).toEqual({ error: { code: 'internal', message: expect.any(String) } })
  const fault = lines.find(({ msg }) => msg === 'request failed')
  expect(JSON.stringify(fault)).toContain('log.test.ts')
})

it('no line contains request bodies or queries', async () => {
  const canary = 'canary-7f3a'
  const headers = { 'idempotency-key': canary, 'user-agent': canary }
  const messages = [{ kind: 'text', text: { 'zh-TW': canary } }]
  await api.call('createMessage', {
    key: api.keys.individual,
    headers,
    body: { ...newMessage, messages },
  })
  const audience = { kind: 'individual', uids: [canary] }
  await api.call('createMessage', { key: api.keys.a, headers, body: { ...newMessage, audience } })
  await api.call('listMessages', { key: api.keys.a, query: { cursor: canary } })
  await api.call('getMessage', { key: api.keys.a, id: canary })
  await api.app.inject(`/nowhere/${canary}`)
  const text = JSON.stringify(lines)
  expect(text).not.toContain('canary')
  expect(text).not.toContain(api.keys.a)
})
