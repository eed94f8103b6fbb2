import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OperationId } from '../../../src/contract/endpoints.ts'
import type { DecisionVerb } from '../../../src/domain/rights/allowed-decision.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { administratorSession } from '../../fixtures/seed.ts'
import { forFile } from '../../harness/for-file.ts'

/** The details of what has versions say what the calls answer, as those of messages do (messages/allowed.test.ts). */

const callers: Record<string, CallOptions> = {}
/** Callers who do not see unit a. */
const strangers: Record<string, CallOptions> = {}
let key: CallOptions
let approver: CallOptions
const api = forFile(startApi)
beforeAll(async () => {
  const { db } = api.database
  await sql`update member set unit_id = ${api.units.a} from person where person.id = person_id
    and person.name = 'Other approver'`.execute(db)
  const token = await administratorSession(db)
  key = { key: api.keys.a }
  approver = { session: api.sessions.approver }
  Object.assign(callers, {
    'a key': key,
    'a key for other categories': { key: await api.newKey(api.units.a, { categories: ['manual'] }) },
    'an editor': { session: api.sessions.editor },
    'an approver': approver,
    'another approver': { session: api.sessions.otherApprover },
  })
  Object.assign(strangers, {
    'a key of another unit': { key: api.keys.b },
    'a person of no unit': { session: api.sessions.stranger },
    'a system administrator': { session: token },
  })
})

type Calls = { get: OperationId } & Record<DecisionVerb, OperationId>
const ofTemplates: Calls = { get: 'getTemplate', approve: 'approveTemplate', reject: 'rejectTemplate' }
const ofBindings: Calls = {
  get: 'getEventBinding',
  approve: 'approveEventBinding',
  reject: 'rejectEventBinding',
}

const content = { messages: [{ kind: 'text', text: { 'zh-TW': '您好' } }] }

async function template(by: CallOptions): Promise<string> {
  const body = { name: randomUUID(), categoryId: 'news', ...content }
  return (await api.call('createTemplate', { ...by, body })).body.id
}

/** A binding to a query waits for an approver; one to the subjects of an event is in force at once. */
async function binding(by: CallOptions, audience: object = { kind: 'query', roles: ['student'] }) {
  const rule = { source: 'sis', type: randomUUID(), categoryId: 'news', templateId: api.templates.approved }
  return (await api.call('createEventBinding', { ...by, body: { ...rule, audience } })).body.id as string
}

/** Makes what `make` makes, and decides about it as another approver. */
async function decided(operation: OperationId, creation: Promise<string>): Promise<string> {
  const id = await creation
  const body = operation.startsWith('reject') ? { reason: 'no' } : {}
  const { code } = await api.call(operation, { ...callers['another approver'], id, body })
  expect(code).toBeNull()
  return id
}

const versions: [what: string, calls: Calls, make: () => Promise<string>][] = [
  ['a draft of a template', ofTemplates, () => template(key)],
  ['a draft of a template by the approver', ofTemplates, () => template(approver)],
  ['an approved template', ofTemplates, () => decided('approveTemplate', template(key))],
  ['a rejected template', ofTemplates, () => decided('rejectTemplate', template(key))],
  [
    'a new version of an approved template',
    ofTemplates,
    async () => {
      const id = await decided('approveTemplate', template(key))
      await api.call('createTemplateVersion', { ...approver, id, body: content })
      return id
    },
  ],
  ['a binding that waits', ofBindings, () => binding(key)],
  ['a binding of the approver that waits', ofBindings, () => binding(approver)],
  ['a binding in force', ofBindings, () => binding(key, { kind: 'event_subjects' })],
  ['an approved binding', ofBindings, () => decided('approveEventBinding', binding(key))],
  ['a rejected binding', ofBindings, () => decided('rejectEventBinding', binding(key))],
  [
    'a change of a binding in force',
    ofBindings,
    async () => {
      const id = await decided('approveEventBinding', binding(key))
      await api.call('updateEventBinding', {
        ...approver,
        id,
        body: { audience: { kind: 'query', roles: ['student', 'staff'] } },
      })
      return id
    },
  ],
  [
    'a binding whose events are another one’s',
    ofBindings,
    async () => {
      const [id, other] = [await binding(key), await binding(key, { kind: 'event_subjects' })]
      await sql`update event_binding_version set type = held.type from event_binding_version as held
        where event_binding_version.binding_id = ${id} and held.binding_id = ${other}`.execute(
        api.database.db,
      )
      return id
    },
  ],
]

const call = (operation: OperationId, verb: DecisionVerb, caller: CallOptions, id: string) =>
  api.call(operation, { ...caller, id, ...(verb === 'reject' && { body: { reason: 'no' } }) })

describe('what `allowed` says in a detail is what the call answers', () => {
  it.each(versions)('for %s', async (_what, calls, make) => {
    for (const [name, caller] of Object.entries(callers))
      for (const verb of ['approve', 'reject'] as const) {
        const id = await make()
        const { body: detail } = await api.call(calls.get, { ...caller, id })
        const { code, body } = await call(calls[verb], verb, caller, id)
        const verdict = detail.allowed[verb]
        expect([name, verb, verdict.allowed ? null : verdict.code]).toEqual([name, verb, code])
        if (code !== null && 'session' in caller) expect(verdict.message).toBe(body.error.message)
        // What the call returns is the detail that a GET returns afterwards.
        if (code === null) expect(body).toEqual((await api.call(calls.get, { ...caller, id })).body)
      }
  })

  it.each([versions[0]!, versions[5]!])('and %s does not exist for others', async (_what, calls, make) => {
    const id = await make()
    for (const [name, caller] of Object.entries(strangers)) {
      const { code } = await api.call(calls.get, { ...caller, id })
      expect([name, code]).toEqual([name, 'not_found'])
      for (const verb of ['approve', 'reject'] as const)
        expect([name, (await call(calls[verb], verb, caller, id)).code]).toEqual([
          name,
          'key' in caller ? 'forbidden' : 'not_found',
        ])
    }
  })
})
