import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { errorsOf } from '../../../src/contract/endpoint.ts'
import { endpoints } from '../../../src/contract/endpoints.ts'
import type { ErrorCode } from '../../../src/contract/errors.ts'
import { limits } from '../../../src/contract/limits.ts'
import type { Outcome } from '../../../src/domain/message/outcome.ts'
import { startApi, unreachableCodes } from '../../fixtures/api.ts'
import type { CallResponse } from '../../fixtures/call.ts'
import { createMessage, newMessage } from '../../fixtures/new-message.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { byCall } from '../../fixtures/senders.ts'
import { newEvent, secondsFromNow, sendEvent, sendEvents } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'
import { closedDatabase } from './closed-database.ts'

/** How a provider answers to test messages. */
let testOutcome: Outcome
const api = forFile(() => startApi({ services: { senders: { chat: byCall(async () => testOutcome) } } }))

const hour = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hour).toISOString()

function create(body: object, as: { key?: string; session?: string } = { key: api.keys.a }) {
  return createMessage(api, body, as)
}

async function submitted(body: object = {}, as: { key?: string; session?: string } = { key: api.keys.a }) {
  const { id } = (await create(body, as)).body
  expect((await api.call('submitMessage', { ...as, id })).body).toEqual({ state: 'submitted' })
  return id as string
}

async function tested(outcome: Outcome) {
  testOutcome = outcome
  await api.database.db.updateTable('person').set({ subject_uid: 's1' }).execute()
  const { id } = (await create({})).body
  return api.call('testSendMessage', { session: api.sessions.editor, id })
}

const unknown = '01939a2e-0000-7000-8000-00000000dead'

/** One way to produce each code over HTTP. */
const ways: Partial<Record<ErrorCode, () => Promise<CallResponse>>> = {
  validation_error: () => create({ audience: { kind: 'query' } }),
  idempotency_key_required: () => api.call('createMessage', { key: api.keys.a, body: newMessage }),
  content_violation: async () => {
    const long = { kind: 'text', text: { 'zh-TW': 'x'.repeat(5_001) } }
    const { id } = (await create({ messages: [long] })).body
    return api.call('submitMessage', { key: api.keys.a, id })
  },
  missing_variable: () => create({ messages: undefined, templateId: api.templates.approved, variables: {} }),
  audience_dimension_not_allowed: () =>
    create({ audience: { kind: 'query', roles: ['student'], tags: ['x'] } }, { key: api.keys.restricted }),
  fixed_category: () =>
    create({
      messages: [
        {
          kind: 'buttons',
          text: { 'zh-TW': '?' },
          actions: [{ kind: 'mute', label: { 'zh-TW': '!' }, categoryId: 'safety' }],
        },
      ],
    }),
  dag_invalid: () =>
    api.call('createScenario', {
      key: api.keys.a,
      body: newScenario({ nodes: [{ id: 'a', kind: 'wait', seconds: 1 }] }),
    }),
  too_many_runs: async () => {
    const key = api.keys.individual
    const { id } = (await api.call('createScenario', { key, body: newScenario() })).body
    await api.call('putScenario', { key, id, body: { state: 'active' } })
    await sql`
      insert into scenario_run (scenario_id, version_number, unit_id, started_by, node)
      select id, 1, unit_id, 'key:test', 'ask' from scenario, generate_series(1, ${limits.openRunsPerUnit})
      where id = ${id}`.execute(api.database.db)
    return api.call('startRuns', { key, id, body: { subjectUids: ['s1'] } })
  },
  topic_inactive: () => create({ topicId: api.topics.inactive }),
  remind_before_send: () => create({ scheduleAt: inHours(2), remindAt: inHours(1) }),
  remind_after_expiry: () => create({ remindAt: inHours(2), expiresAt: inHours(1) }),
  provider: () => tested({ kind: 'refused', code: 'no_such_mailbox' }),
  retryable: () => tested({ kind: 'throttled' }),
  unauthenticated: () => create({}, {}),
  invalid_credential: () => create({}, { key: api.keys.revoked }),
  not_bound: () => api.call('getPreferences', { headers: { 'x-mock-channel-user': 'Unobody' } }),
  forbidden: () => api.call('rejectMessage', { key: api.keys.a, body: { reason: 'no' } }),
  unit_required: () => create({}, { session: api.sessions.twoUnits }),
  category_not_allowed: () => create({ categoryId: 'manual' }, { key: api.keys.restricted }),
  individual_targeting_disabled: () => create({ audience: { kind: 'individual', uids: ['s1'] } }),
  identity_api_forbidden: () => api.call('unbindAddress', { key: api.keys.a, id: 's1' }),
  not_found: () => create({ categoryId: 'nowhere' }),
  idempotency_mismatch: async () => {
    const headers = { 'idempotency-key': 'the same' }
    await api.call('createMessage', { key: api.keys.a, headers, body: newMessage })
    return api.call('createMessage', {
      key: api.keys.a,
      headers,
      body: { ...newMessage, categoryId: 'manual' },
    })
  },
  invalid_transition: async () => api.call('submitMessage', { key: api.keys.a, id: await submitted() }),
  quota_exceeded: async () => {
    const id = await submitted()
    const { db } = api.database
    await db.deleteFrom('quota_default').execute()
    await db.deleteFrom('quota_ledger').execute()
    return api.call('approveMessage', { session: api.sessions.approver, id })
  },
  self_approval: async () => {
    const { approver } = api.sessions
    return api.call('approveMessage', { session: approver, id: await submitted({}, { session: approver }) })
  },
  group_subset: async () => {
    const group = { name: 'Group', kind: 'static', legalBasis: 'consent' }
    const make = async (parentId: string | null) =>
      (await api.call('createGroup', { key: api.keys.a, body: { ...group, parentId } })).body.id
    const id = await make(await make(null))
    return api.call('changeMembers', { key: api.keys.a, id, body: { add: ['s1'] } })
  },
  unknown_key: () => sendEvent(api, newEvent(), { keyId: 'nobody' }),
  bad_signature: () => sendEvent(api, newEvent(), { secret: 'guessed' }),
  stale_timestamp: () => sendEvent(api, newEvent(), { timestamp: secondsFromNow(-302) }),
  too_many_subjects: () =>
    sendEvent(api, newEvent({ subjectUids: Array(limits.subjectsPerEvent + 1).fill('s1') })),
  too_many_events: () => sendEvents(api, Array(limits.eventsPerBatch + 1).fill(newEvent())),
  rate_limited: async () => {
    const busy = await startApi({ ratePerMinute: 1 })
    await sendEvent(busy, newEvent())
    const answer = await sendEvent(busy, newEvent())
    await busy.close()
    return answer
  },
  payload_too_large: () => create({ variables: { x: 'x'.repeat(limits.bodyBytes) } }),
  not_configured: async () => {
    const { id } = (await create({ categoryId: 'mail' })).body
    return api.call('dryRunMessage', { key: api.keys.a, id })
  },
  unavailable: async () => {
    const down = await startApi({ services: { db: closedDatabase() } })
    const answer = await down.call('getMessage', { key: api.keys.a })
    await down.close()
    return answer
  },
}

describe('every error code', () => {
  const codes = new Set(Object.values(endpoints).flatMap(errorsOf))

  it.each([...codes].filter((code) => !unreachableCodes.includes(code)))('%s is answered', async (code) => {
    const answer = await ways[code]!()
    expect(answer.body.error.code).toBe(code)
    expect(answer.body.error.message).toMatch(/\w.*\.$/)
  })
})

describe('an error', () => {
  it('returns the path of the error in a body', async () => {
    const { body } = await create({ messages: [{ kind: 'text', text: { en: 'hi' } }], colour: 'red' })
    expect(body.error.details.issues).toMatchObject([
      { path: '', message: expect.stringContaining('colour') },
      { path: 'messages[0].text.zh-TW', message: expect.any(String) },
    ])
  })

  it('answers Retry-After if the service is unavailable', async () => {
    expect((await ways.unavailable!()).headers['retry-after']).toBe('1')
  })

  it('names the actor of the conflicting state', async () => {
    const { body } = await ways.invalid_transition!()
    expect(body.error.details).toEqual({
      state: 'submitted',
      by: `key:${api.keys.a.split('_')[1]}`,
      at: expect.stringMatching(/Z$/),
    })
  })

  it('is the same for an unknown id, for an invalid id, and for another unit’s', async () => {
    const { id } = (await create({})).body
    for (const [key, wanted] of [
      [api.keys.a, unknown],
      [api.keys.a, 'no-id'],
      [api.keys.b, id],
    ] as const)
      expect((await api.call('getMessage', { key, id: wanted })).code).toBe('not_found')
  })
})
