import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import type { ApprovalKind } from '../../../src/contract/enums.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { createMessage } from '../../fixtures/new-message.ts'
import { newScenario } from '../../fixtures/new-scenario.ts'
import { bind } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'

/** People of unit a by what they are to what waits. */
let callers: Record<'an editor' | 'an approver' | 'another approver', CallOptions>
const api = forFile(startApi)
beforeAll(async () => {
  const { db } = api.database
  await sql`insert into member (unit_id, person_id, role)
    select ${api.units.a}, id, 'approver' from person where name = 'Other approver'`.execute(db)
  await sql`delete from member using person where person.id = person_id and person.name = 'Other approver'
    and unit_id = ${api.units.b}`.execute(db)
  callers = {
    'an editor': { session: api.sessions.editor },
    'an approver': { session: api.sessions.approver },
    'another approver': { session: api.sessions.otherApprover },
  }
})
beforeEach(async () => {
  const { db } = api.database
  await sql`delete from notice`.execute(db)
  await sql`update message set state = 'cancelled', closed_at = now() where closed_at is null`.execute(db)
  await sql`update template_version set state = 'rejected' where state = 'draft'`.execute(db)
  await sql`delete from event_binding`.execute(db)
  await sql`delete from scenario`.execute(db)
})

const query = { kind: 'query', roles: ['student'] }

/** Makes one that waits, written by this caller; returns its id. */
const make: Record<ApprovalKind, (by: CallOptions) => Promise<string>> = {
  async message(by) {
    const { id } = (await createMessage(api, { categoryId: 'manual' }, by)).body
    await api.call('submitMessage', { ...by, id })
    return id
  },
  async template(by) {
    const messages = [{ kind: 'text', text: { 'zh-TW': '您好' } }]
    return (
      await api.call('createTemplate', { ...by, body: { name: randomUUID(), categoryId: 'news', messages } })
    ).body.id
  },
  async event_binding(by) {
    const { bodyExample } = endpoints.createEventBinding
    const fields = { ...bodyExample, categoryId: 'news', templateId: api.templates.approved }
    const body = { ...fields, type: randomUUID(), audience: query }
    return (await api.call('createEventBinding', { ...by, body })).body.id
  },
  async scenario(by) {
    const { id } = (await api.call('createScenario', { ...by, body: newScenario({ categoryId: 'manual' }) }))
      .body
    await api.call('putScenario', { ...by, id, body: { state: 'active' } })
    return id
  },
}
const kinds = Object.keys(make) as ApprovalKind[]
const decide: Record<ApprovalKind, Record<'approve' | 'reject', OperationId>> = {
  message: { approve: 'approveMessage', reject: 'rejectMessage' },
  template: { approve: 'approveTemplate', reject: 'rejectTemplate' },
  event_binding: { approve: 'approveEventBinding', reject: 'rejectEventBinding' },
  scenario: { approve: 'approveScenario', reject: 'rejectScenario' },
}

const list = async (as: CallOptions, search: Record<string, string> = {}) =>
  (await api.call('listApprovals', { ...as, query: search })).body

describe('what waits for approval', () => {
  it('is listed with its version, title and author, the oldest first, page by page', async () => {
    const key = { key: api.keys.a }
    const ids = [await make.event_binding(key), await make.message(key), await make.template(key)]
    ids.push(await make.message(key))
    const { items } = await list(callers['an approver'])
    expect(items.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(items.slice(0, 3)).toMatchObject([
      { kind: 'event_binding', version: 1, title: { en: expect.stringMatching(/^Events .* of /) } },
      { kind: 'message', version: 2, title: { 'zh-TW': '校園開放日' }, author: { name: 'test' } },
      { kind: 'template', version: 1, allowed: { approve: { allowed: true }, reject: { allowed: true } } },
    ])
    const pages: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(callers['an approver'], { limit: '1', ...(cursor && { cursor }) })
      pages.push(...page.items.map(({ id }: { id: string }) => id))
      cursor = page.nextCursor
    }
    expect(pages).toEqual(ids)
  })

  it('is a message that returned to review since it did', async () => {
    const [first, second] = [await make.message({ key: api.keys.a }), await make.message({ key: api.keys.a })]
    await sql`update message set changed_at = clock_timestamp(), review_drift = true where id = ${first}`.execute(
      api.database.db,
    )
    const { items } = await list(callers['an approver'])
    expect(items.map(({ id }: { id: string }) => id)).toEqual([second, first])
  })

  it('is not what has been decided or replaced', async () => {
    const ids = await Promise.all(kinds.map((kind) => make[kind]({ key: api.keys.a })))
    for (const [index, kind] of kinds.entries())
      await api.call(decide[kind].reject, {
        ...callers['an approver'],
        id: ids[index]!,
        body: { reason: 'no', ...(kind === 'scenario' && { version: 1 }) },
      })
    expect((await list(callers['an approver'])).items).toEqual([])
  })

  it('is listed for members of the unit only', async () => {
    await make.message({ key: api.keys.a })
    expect((await list({ session: api.sessions.twoUnits }, { unitId: api.units.b })).items).toEqual([])
    expect((await api.call('listApprovals', { session: api.sessions.twoUnits })).code).toBe('unit_required')
    expect((await api.call('listApprovals', { session: api.sessions.stranger })).code).toBe('forbidden')
    expect((await api.call('listApprovals', { key: api.keys.a })).code).toBe('forbidden')
  })

  it.each(['MSBi', 'eA', Buffer.from(`9999999999999999 ${randomUUID()}`).toString('base64url')])(
    'refuses or ends with the cursor %s',
    async (cursor) => {
      const { status } = await api.call('listApprovals', { ...callers['an editor'], query: { cursor } })
      expect([200, 400]).toContain(status)
    },
  )
})

describe('what `allowed` says in the list is what the call answers', () => {
  it.each(kinds)('for a %s', async (kind) => {
    for (const author of Object.values(callers).slice(0, 2))
      for (const caller of Object.values(callers))
        for (const verb of ['approve', 'reject'] as const) {
          const id = await make[kind](author)
          const item = (await list(caller)).items.find((one: { id: string }) => one.id === id)
          const body = { version: item.version, ...(verb === 'reject' && { reason: 'no' }) }
          const { code } = await api.call(decide[kind][verb], { ...caller, id, body })
          const verdict = item.allowed[verb]
          expect([verb, verdict.allowed ? null : verdict.code]).toEqual([verb, code])
        }
  })

  it('for a binding whose events are another one’s', async () => {
    const id = await make.event_binding({ key: api.keys.a })
    await sql`update event_binding_version set source = 'sis', type = 'twice'`.execute(api.database.db)
    await bind(api, { type: 'twice' })
    const [item] = (await list(callers['an approver'])).items
    const { code, body } = await api.call('approveEventBinding', { ...callers['an approver'], id })
    expect([item.allowed.approve.code, item.allowed.reject.allowed]).toEqual([code, true])
    expect(item.allowed.approve.message).toBe(body.error.message)
  })

  it('for a message that the quota does not cover', async () => {
    const id = await make.message({ key: api.keys.a })
    await sql`update message set snapshot = jsonb_set(snapshot, '{quota,chat,estimatedPushes}', '1000000')
      where id = ${id}`.execute(api.database.db)
    const [item] = (await list(callers['an approver'])).items
    expect(item.allowed).toMatchObject({
      approve: { allowed: false, code: 'quota_exceeded' },
      reject: { allowed: true },
    })
  })
})
