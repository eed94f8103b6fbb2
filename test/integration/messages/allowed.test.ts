import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { OperationId } from '../../../src/contract/endpoints.ts'
import type { Action } from '../../../src/domain/message/allowed-actions.ts'
import { type Api, startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { createMessage } from '../../fixtures/new-message.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { administratorSession, seedCategory } from '../../fixtures/seed.ts'
import { forFile } from '../../harness/for-file.ts'

/** The call of each action; the edit leaves category, audience and references as they are. */
const calls: Record<Action, { operation: OperationId; body?: object }> = {
  edit: { operation: 'editMessage', body: { expiresAt: null } },
  submit: { operation: 'submitMessage' },
  approve: { operation: 'approveMessage' },
  reject: { operation: 'rejectMessage', body: { reason: 'no' } },
  withdraw: { operation: 'withdrawMessage' },
  cancel: { operation: 'cancelMessage' },
  pause: { operation: 'pauseMessage' },
  resume: { operation: 'resumeMessage' },
  stop: { operation: 'stopMessage' },
  retry: { operation: 'retryMessage' },
}
const actions = Object.keys(calls) as Action[]

/** May do everything that a key of unit a may. */
let every: string
let group: string
const callers: Record<string, CallOptions> = {}
/** Callers who do not see unit a. */
const strangers: CallOptions[] = []
const api = forFile(startApi)
beforeAll(async () => {
  const { db } = api.database
  await db.updateTable('quota_default').set({ monthly_limit: 1_000_000 }).execute()
  await updateRows(db, 'subject', {}, { tags: ['cohort:2026'] })
  await seedCategory(db, 'closed')
  every = await api.newKey(api.units.a, { individualTargeting: true, groupWriting: true })
  group = (
    await api.call('createGroup', {
      key: every,
      body: { name: 'One', kind: 'static', legalBasis: 'consent' },
    })
  ).body.id
  await api.call('changeMembers', { key: every, id: group, body: { add: ['s1'] } })

  const key = async (rights: Parameters<Api['newKey']>[1]) => ({ key: await api.newKey(api.units.a, rights) })
  const token = await administratorSession(db)
  Object.assign(callers, {
    'a key without restrictions': await key({ individualTargeting: true, groupWriting: true }),
    'a key for some categories': await key({ categories: ['manual'] }),
    'a key for some dimensions': await key({ dimensions: ['roles'], individualTargeting: true }),
    'a key without individual targeting': await key({ groupWriting: true }),
    'an editor': { session: api.sessions.editor },
    'an approver': { session: api.sessions.approver },
  })
  strangers.push({ key: api.keys.b }, { session: api.sessions.otherApprover }, { session: token })
})

type Creation = Promise<string>

async function draft(parts: object = {}, key = every): Creation {
  const { body: message } = await createMessage(api, { categoryId: 'manual', ...parts }, { key })
  return message.id
}

async function submitted(parts: object = {}): Creation {
  const id = await draft(parts)
  await api.call('submitMessage', { key: every, id })
  return id
}

async function approved(parts: object = {}): Creation {
  const id = await submitted(parts)
  await api.call('approveMessage', { session: api.sessions.approver, id })
  return id
}

type Columns = Record<string, string | boolean | Date | null>

/** Changes a message, and its first wave, as a run or another caller would. */
async function changed(making: Creation, message: Columns, wave?: Columns): Creation {
  const id = await making
  const { db } = api.database
  await db.updateTable('message').set(message).where('id', '=', id).execute()
  if (wave)
    await db.updateTable('wave').set(wave).where('message_id', '=', id).where('number', '=', 0).execute()
  return id
}

async function withReminder(reminder: Columns = {}): Creation {
  const remindAt = new Date(Date.now() + 3_600_000).toISOString()
  const id = await changed(approved({ remindAt }), { state: 'sent' }, { state: 'sent' })
  const { db } = api.database
  const set = { state: 'waiting' as const, ...reminder }
  await db.updateTable('wave').set(set).where('message_id', '=', id).where('number', '=', 1).execute()
  return id
}

async function writeRequest(making: Creation, request: object): Creation {
  const id = await making
  const { db } = api.database
  await updateRows(db, 'message_content', { message_id: id }, { request: JSON.stringify(request) })
  return id
}

async function byApprover(making: Creation): Creation {
  const id = await making
  await sql`insert into message_author (message_id, actor)
    select ${id}, 'person:' || id from person where name = 'Approver'`.execute(api.database.db)
  return id
}

async function costing(making: Creation, pushes: number): Creation {
  const id = await making
  await sql`update message set snapshot = jsonb_set(snapshot, '{quota,chat,estimatedPushes}', ${String(pushes)}::jsonb)
    where id = ${id}`.execute(api.database.db)
  return id
}

const past = new Date('2026-01-01T00:00:00Z')
const query = (audience: object) => ({ audience: { kind: 'query', ...audience } })

/** Drafts by what decides about them. */
const drafts: Record<string, () => Creation> = {
  'a draft': () => draft(),
  'an expired draft': () => changed(draft(), { expires_at: past }),
  'a draft of a category that some keys may not use': () => draft({ categoryId: 'news' }),
  'a draft to named individuals': () => draft({ audience: { kind: 'individual', uids: ['s1'] } }),
  'a draft to people by tag': () => draft(query({ tags: ['cohort:2026'] })),
  'a draft to all but a few': () => draft({ audience: { kind: 'all', exclude: { tags: ['cohort:2025'] } } }),
  'a draft of an inactive topic': () => changed(draft(), { topic_id: api.topics.inactive }),
  'a draft of a disabled category': () => changed(draft(), { category_id: 'closed' }),
}

/** Messages after submit, when a key's restrictions no longer count, by what decides about them. */
const later: Record<string, () => Creation> = {
  'a submitted message': () => submitted(),
  'a submitted message of the approver': () => byApprover(submitted()),
  'a submitted message that costs too much': () => costing(submitted(), 10_000_000),
  'a submitted message to named individuals': () =>
    submitted({ audience: { kind: 'individual', uids: ['s1'] } }),
  'an approved message': () => approved(),
  'an approved message whose step fails': () => changed(approved(), { step_parked_at: new Date() }),
  'a paused message': () => changed(approved(), { state: 'paused', paused_from: 'approved' }),
  'a send before its first batch': () => changed(approved(), { state: 'sending' }, { state: 'sending' }),
  'a send in progress': () => changed(approved(), { state: 'sending' }, { state: 'sending', claimed: true }),
  'a parked send': () =>
    changed(
      approved(),
      { state: 'sending' },
      { state: 'sending', claimed: true, parked: 'provider', parked_at: new Date() },
    ),
  'a rejected message': () => changed(submitted(), { state: 'rejected' }),
  'a cancelled message': () => changed(draft(), { state: 'cancelled' }),
  'a sent message': () => changed(approved(), { state: 'sent' }, { state: 'sent' }),
  'a reminder that waits': () => withReminder(),
  'a reminder in progress': () => withReminder({ state: 'sending', claimed: true }),
}

/** Drafts whose text must be rendered, or whose people counted, to know what a submit would answer. */
const texts: Record<string, () => Creation> = {
  'a draft to a group of one': () => draft(query({ groups: [group] })),
  'a draft to everybody but a group of one': () =>
    draft({ audience: { kind: 'all', exclude: { groups: [group] } } }),
  'a draft to a group without members so far': () =>
    draft({ ...query({ groups: [randomUUID()] }), scheduleAt: '2037-01-01T00:00:00Z' }),
  'a draft without a variable': () =>
    writeRequest(
      draft({ messages: undefined, templateId: api.templates.approved, variables: { day: '1' } }),
      {
        templateId: api.templates.approved,
        variables: {},
      },
    ),
  'a draft with a text too long for the chat': () =>
    draft({ messages: [{ kind: 'text', text: { 'zh-TW': '長'.repeat(5_001) } }] }),
  'a draft whose reminder is too late': () => changed(draft(), { remind_at: past }),
  'a draft by mail, which is not configured': () => draft({ categoryId: 'mail' }),
}

type Verdict = { allowed: boolean; code?: string; message?: string }
type MessageView =
  | { detail: Record<Action, Verdict>; listed: Record<Action, Verdict> }
  | { code: string | null }

async function shownTo(caller: CallOptions, id: string): Promise<MessageView> {
  const { code, body } = await api.call('getMessage', { ...caller, id })
  if (code !== null) return { code }
  const page = await api.call('listMessages', { ...caller, query: { unitId: body.unitId, limit: '1' } })
  expect(page.body.items[0].id).toBe(id)
  return { detail: body.allowed, listed: page.body.items[0].allowed }
}

const rejects = ({ key }: CallOptions, action: Action) => key !== undefined && action === 'reject'
const codeIn = (verdict: Verdict) => (verdict.allowed ? null : verdict.code)

/** Makes the message anew after each call that succeeds; a refused one changes nothing. */
async function compare(
  caller: CallOptions,
  make: () => Creation,
  lists: boolean,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  let id = await make()
  let view = await shownTo(caller, id)
  for (const action of actions) {
    const { operation, body } = calls[action]
    const { code } = await api.call(operation, { ...caller, id, ...(body && { body }) })
    counts[code ?? 'ok'] = (counts[code ?? 'ok'] ?? 0) + 1
    // No key may reject anything, in whichever unit.
    if ('code' in view)
      expect([action, code]).toEqual([action, rejects(caller, action) ? 'forbidden' : view.code])
    else {
      expect([action, codeIn(view.detail[action])]).toEqual([action, code])
      const listCode = codeIn(view.listed[action])
      if (lists || listCode !== null) expect([action, listCode]).toEqual([action, code])
    }
    if (code !== null) continue
    id = await make()
    view = await shownTo(caller, id)
  }
  return counts
}

describe('what `allowed` says is what the call answers', () => {
  it.each(Object.keys(drafts))('for %s, in the detail and in lists', async (name) => {
    for (const caller of Object.values(callers)) await compare(caller, drafts[name]!, true)
  })

  it.each(Object.keys(later))('for %s, in the detail and in lists', async (name) => {
    for (const caller of ['a key for some categories', 'an editor', 'an approver'])
      await compare(callers[caller]!, later[name]!, true)
  })

  it('for callers outside the unit, for whom the message does not exist', async () => {
    for (const caller of strangers)
      for (const make of [drafts['a draft']!, later['a submitted message']!])
        expect(await compare(caller, make, true)).not.toHaveProperty('ok')
  })

  it.each(Object.keys(texts))('for %s, in the detail', async (name) => {
    for (const caller of Object.values(callers)) await compare(caller, texts[name]!, false)
  })

  it('for keys of an administrative unit, whose every attribute is a list of its own', async () => {
    const { unit_id } = await api.database.db
      .selectFrom('producer_key')
      .select('unit_id')
      .where('id', '=', api.keys.administrative.split('_')[1]!)
      .executeTakeFirstOrThrow()
    const targeting = await api.newKey(unit_id, { individualTargeting: true })
    const few = () => draft(query({ tags: ['cohort:2026'] }), targeting)
    expect(await compare({ key: api.keys.administrative }, few, false)).toMatchObject({
      individual_targeting_disabled: 1,
    })
    expect(await compare({ key: targeting }, few, false)).not.toHaveProperty('individual_targeting_disabled')
  })
})

describe('a draft that the caller may not submit as it is', () => {
  it('says why before the call', async () => {
    const allowedTo = async (caller: string, making: Creation) => {
      const { body } = await api.call('getMessage', { ...callers[caller], id: await making })
      return body.allowed.submit
    }
    const codes = async (caller: string, making: Creation) => (await allowedTo(caller, making)).code
    expect(
      await codes('a key for some categories', drafts['a draft of a category that some keys may not use']!()),
    ).toBe('category_not_allowed')
    expect(await codes('an editor', drafts['a draft to named individuals']!())).toBe(
      'individual_targeting_disabled',
    )
    expect(await codes('an editor', drafts['a draft of an inactive topic']!())).toBe('topic_inactive')
    expect(await codes('a key for some dimensions', drafts['a draft to people by tag']!())).toBe(
      'audience_dimension_not_allowed',
    )
    const one = texts['a draft to a group of one']!
    expect(await codes('a key without individual targeting', one())).toBe('individual_targeting_disabled')
    expect(await allowedTo('an editor', one())).toEqual({ allowed: true })
  })
})

it('a producer may ask for the automatic check although the quota is short: that is no error', async () => {
  const id = await later['a submitted message that costs too much']!()
  const { body } = await api.call('getMessage', { key: every, id })
  expect(body.allowed.approve).toEqual({ allowed: true })
  expect((await api.call('approveMessage', { key: every, id })).body).toMatchObject({ approved: false })
})
