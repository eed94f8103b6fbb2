import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { keysOf } from '../../../src/contract/enums.ts'
import { sendNextNotice } from '../../../src/services/notices/send.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { contentFor } from '../../fixtures/cleared.ts'
import { publicUrl, sendNotices } from '../../fixtures/notice-mails.ts'
import { auditRows, selectRow } from '../../fixtures/rows.ts'
import { bind, newEvent, sendEvent } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
beforeAll(async () => {
  const { db } = api.database
  const { id } = await selectRow(db, 'person', { name: 'Two units' }, ['id'])
  await db.insertInto('member').values({ unit_id: api.units.a, person_id: id, role: 'approver' }).execute()
})
afterEach(async () => {
  await api.database.db.deleteFrom('event_binding').execute()
  await api.database.db.deleteFrom('event_binding_former').execute()
  await api.database.db.deleteFrom('notice').execute()
})

const query = { kind: 'query', roles: ['student'] } as const
const subjects = { kind: 'event_subjects' } as const

const byKey = (): CallOptions => ({ key: api.keys.a })
const by = (who: 'editor' | 'approver' | 'twoUnits' | 'otherApprover'): CallOptions => ({
  session: api.sessions[who],
})
const read = async (id: string) => (await api.call('getEventBinding', { ...byKey(), id })).body
const change = (id: string, body: object, as = byKey()) => api.call('updateEventBinding', { ...as, id, body })
const approve = (id: string, as = by('approver'), body?: object) =>
  api.call('approveEventBinding', { ...as, id, ...(body && { body }) })
const reject = (id: string, as = by('approver'), body: object = { reason: '範圍太大' }) =>
  api.call('rejectEventBinding', { ...as, id, body })
/** Where the next event goes: its own subjects, a query, or an error. */
const nextEvent = async () => {
  const { messageId, error } = (await sendEvent(api, newEvent())).body
  if (error) return error
  return (await api.call('getMessage', { ...by('approver'), id: messageId })).body.audience.kind
}

describe('a new binding', () => {
  it('to the event’s subjects with an approved template is in force at once', async () => {
    const id = await bind(api)
    expect(await read(id)).toMatchObject({
      inForce: 1,
      newest: { version: 1, state: 'in_force', decision: null },
    })
    expect(await nextEvent()).toBe('individual')
  })

  it.each([
    ['to a query', { audience: query }],
    ['with a template that is not approved', { templateId: 'draft' }],
    ['whose template is of another category', { categoryId: 'manual' }],
  ])('%s waits for an approver, and events get no_binding until then', async (_what, parts: object) => {
    const id = await bind(api, {
      ...parts,
      ...('templateId' in parts && { templateId: api.templates.draft }),
    })
    expect(await read(id)).toMatchObject({ inForce: null, newest: { version: 1, state: 'submitted' } })
    expect(await nextEvent()).toBe('no_binding')
    const replay = await api.call('replayEventBinding', { ...byKey(), id })
    expect([replay.code, replay.body.error.details]).toMatchObject([
      'invalid_transition',
      { state: 'submitted', by: expect.stringMatching(/^key:/), at: expect.any(String) },
    ])
    const unwritten = await approve(id, by('approver'), { version: 9 })
    expect(unwritten.body.error.message).toContain('there is no version 9')
    expect((await approve(id)).body).toMatchObject({ inForce: 1, newest: { state: 'in_force' } })
    expect(await nextEvent()).not.toBe('no_binding')
  })

  it('that makes no messages is in force at once: disabled, or without a template', async () => {
    const disabled = await bind(api, { audience: query, enabled: false })
    expect(await read(disabled)).toMatchObject({ inForce: 1, enabled: false })
    await bind(api, { audience: query, templateId: null })
    expect(await nextEvent()).toBe('no_template')
  })

  it('does not take the pair of one in force, even if it waits', async () => {
    await bind(api)
    const second = { source: 'sis', type: 'course.moved', categoryId: 'news', audience: query }
    const answer = await api.call('createEventBinding', { key: api.keys.b, body: second })
    expect([answer.code, answer.body.error.details]).toEqual([
      'invalid_transition',
      { state: 'bound', by: null, at: null },
    ])
    const own = await api.call('createEventBinding', { ...byKey(), body: second })
    expect(own.body.error.details).toEqual({
      state: 'bound',
      by: expect.stringMatching(/^key:/),
      at: expect.any(String),
    })
  })

  it('that waited beside another of its pair is not approved after that one', async () => {
    const [first, second] = [await bind(api, { audience: query }), await bind(api, { audience: query })]
    expect((await approve(first)).status).toBe(200)
    const late = await approve(second)
    expect([late.code, late.body.error.details]).toEqual([
      'invalid_transition',
      { state: 'bound', by: expect.stringMatching(/^person:/), at: expect.any(String) },
    ])
    expect(await read(second)).toMatchObject({ inForce: null, newest: { state: 'submitted' } })
  })
})

describe('a binding made anew', () => {
  const remove = (id: string) => api.call('deleteEventBinding', { ...byKey(), id })
  const leave = {
    deleted: remove,
    disabled: (id: string) => change(id, { enabled: false }),
    'disabled, then deleted': async (id: string) => {
      await change(id, { enabled: false })
      return remove(id)
    },
    'changed to make nothing': (id: string) => change(id, { templateId: null, enabled: false }),
  }

  it.each(keysOf(leave))(
    'after one that was %s says no more than that one without an approver',
    async (how) => {
      const first = await bind(api, { type: how, audience: { ...query, stages: ['lead'] }, keyIds: ['new'] })
      await approve(first)
      expect((await leave[how](first)).status).toBe(200)
      for (const parts of [
        { audience: subjects },
        { audience: query, keyIds: ['new'] },
        { categoryId: 'manual' },
      ]) {
        const id = await bind(api, { type: how, ...parts })
        expect(await read(id), JSON.stringify(parts)).toMatchObject({
          inForce: null,
          newest: { state: 'submitted' },
        })
      }
    },
  )

  it.each(keysOf(leave))('to the event’s subjects after one that was %s is judged by it', async (how) => {
    const type = `${how}, again`
    await leave[how](await bind(api, { type, keyIds: ['new'] }))
    for (const keyIds of [null, ['new', 'old']]) {
      const id = await bind(api, { type, keyIds })
      expect((await read(id)).newest.state).toBe('submitted')
      await remove(id)
    }
    const same = await bind(api, { type, keyIds: ['new'] })
    expect((await read(same)).newest.state).toBe('in_force')
  })

  it('is judged by the last one, and of its own source, type and unit alone', async () => {
    await remove(await bind(api, { type: 'x', keyIds: ['new'] }))
    const wider = await bind(api, { type: 'x' })
    await approve(wider)
    await remove(wider)
    const inForceAtOnce = async (parts: object) => {
      const id = await bind(api, parts)
      const { state } = (await read(id)).newest
      await remove(id)
      return state === 'in_force'
    }
    expect(await inForceAtOnce({ type: 'x' })).toBe(true)
    expect(await inForceAtOnce({ type: 'y', categoryId: 'news' })).toBe(true)
    expect(await inForceAtOnce({ type: 'x', source: 'library' })).toBe(true)
    const theirs = await bind(api, { type: 'x', keyIds: ['new'] })
    await remove(theirs)
    expect(await inForceAtOnce({ type: 'x' })).toBe(false)
  })

  it('is judged by what was made before it changed to other events', async () => {
    const first = await bind(api, { type: 'moved.from', keyIds: ['new'] })
    await change(first, { type: 'moved.to' })
    await approve(first)
    const anew = await bind(api, { type: 'moved.from' })
    expect((await read(anew)).newest.state).toBe('submitted')
    await remove(anew)
    await remove(first)
    for (const type of ['moved.from', 'moved.to'])
      expect((await read(await bind(api, { type }))).newest.state, type).toBe('submitted')
  })
})

describe('a change', () => {
  it('of the audience waits while the old version stays in force, and both are shown', async () => {
    const id = await bind(api)
    const { body } = await change(id, { audience: query }, by('editor'))
    const newest = { version: 2, state: 'submitted', audience: query, author: { name: expect.any(String) } }
    expect(body).toMatchObject({ audience: subjects, inForce: 1, newest })
    const { allowed: _, ...binding } = body
    expect(await read(id)).toMatchObject(binding)
    expect((await api.call('listEventBindings', byKey())).body.items).toEqual([binding])
    expect(await nextEvent()).toBe('individual')
    await approve(id)
    expect(await read(id)).toMatchObject({ audience: query, inForce: 2, newest: { state: 'in_force' } })
    expect(await nextEvent()).toBe('query')
  })

  it.each([
    { categoryId: 'manual' },
    { type: 'course.cancelled' },
    { source: 'library' },
    { keyIds: null },
    { audience: { kind: 'all' } },
  ])('to %j does not apply without an approver', async (body) => {
    const id = await bind(api, { keyIds: ['new'] })
    const answer = await change(id, body)
    if ('audience' in body) expect(answer.code).toBe('validation_error')
    else expect(answer.body).toMatchObject({ inForce: 1, newest: { state: 'submitted' } })
    expect(await read(id)).toMatchObject({ inForce: 1, source: 'sis', type: 'course.moved', keyIds: ['new'] })
  })

  it('that narrows or disables applies at once', async () => {
    const id = await bind(api, { audience: { kind: 'query', roles: ['student', 'teacher'] } })
    await approve(id)
    const narrowed = await change(id, { audience: { ...query, stages: ['member'] } })
    expect(narrowed.body).toMatchObject({ inForce: 2, audience: { roles: ['student'] } })
    expect((await change(id, { keyIds: ['new'] })).body).toMatchObject({ inForce: 3, keyIds: ['new'] })
    expect((await change(id, { enabled: false })).body).toMatchObject({ inForce: 4, enabled: false })
    expect((await change(id, { enabled: true })).body).toMatchObject({ inForce: 4, newest: { version: 5 } })
    expect(await nextEvent()).toBe('no_binding')
  })

  it('that narrows applies at once to the version in force, and to the one that waits', async () => {
    const id = await bind(api)
    await change(id, { audience: query })
    expect((await change(id, { keyIds: ['new'] })).body).toMatchObject({
      ...{ audience: subjects, keyIds: ['new'], inForce: 3 },
      newest: { version: 4, state: 'submitted', audience: query, keyIds: ['new'] },
    })
    expect((await sendEvent(api, newEvent(), { keyId: 'old' })).body.error).toBe('no_binding')
  })

  it('that disables a binding leaves nothing to approve', async () => {
    const id = await bind(api)
    await change(id, { audience: query })
    const off = { enabled: false, audience: query, inForce: 3, newest: { version: 3, state: 'in_force' } }
    expect((await change(id, { enabled: false })).body).toMatchObject(off)
    expect((await approve(id)).code).toBe('invalid_transition')
    expect((await change(id, { enabled: true })).body.newest.state).toBe('submitted')
    const back = await change(id, { audience: subjects })
    expect(back.body).toMatchObject({ enabled: true, audience: subjects, inForce: 5 })
  })

  it('that enables a binding again as it was, or narrower, needs no approver', async () => {
    const id = await bind(api)
    await change(id, { enabled: false })
    expect((await change(id, { enabled: true })).body).toMatchObject({ inForce: 3, enabled: true })
    await change(id, { enabled: false })
    await change(id, { keyIds: ['new'] })
    expect((await change(id, { enabled: true })).body).toMatchObject({ inForce: 6, keyIds: ['new'] })
  })

  it.each([
    ['with more keys', { keyIds: null }],
    ['for other events', { type: 'course.cancelled' }],
    [
      'without the stage',
      { audience: { kind: 'query', roles: ['student'] } },
      { audience: { ...query, stages: ['lead'] } },
    ],
    ['in another category', { categoryId: 'manual' }],
  ])(
    'made while a binding is disabled waits when that is enabled: %s',
    async (_what, body: object, fields: object = {}) => {
      const id = await bind(api, { keyIds: ['new'], ...fields })
      if ((await read(id)).newest.state === 'submitted') await approve(id)
      const { inForce } = await read(id)
      await change(id, { enabled: false })
      expect((await change(id, body)).body).toMatchObject({ enabled: false, inForce: inForce + 2 })
      expect((await change(id, { enabled: true })).body).toMatchObject({
        ...{ enabled: false, inForce: inForce + 2 },
        newest: { state: 'submitted', enabled: true, ...body },
      })
      expect(await nextEvent()).toBe('no_binding')
    },
  )

  it('made while a binding is disabled waits, also made with what enables it', async () => {
    const id = await bind(api, { keyIds: ['new'] })
    await change(id, { enabled: false })
    expect((await change(id, { enabled: true, keyIds: null })).body.newest.state).toBe('submitted')
    // What makes nothing is not what was made last.
    await change(id, { enabled: true, templateId: null, keyIds: null })
    const templateId = api.templates.approved
    expect((await change(id, { templateId })).body.newest.state).toBe('submitted')
  })

  it('of nothing writes no version', async () => {
    const id = await bind(api)
    await change(id, { audience: query })
    const before = await read(id)
    expect((await change(id, { audience: query })).body).toEqual(before)
  })

  it('builds on the version that waits; after a rejection, on the one in force', async () => {
    const id = await bind(api)
    await change(id, { audience: query })
    expect((await change(id, { categoryId: 'manual' })).body.newest).toMatchObject({
      ...{ version: 3, audience: query, categoryId: 'manual' },
    })
    await reject(id)
    expect((await change(id, { keyIds: ['new'] })).body).toMatchObject({
      ...{ inForce: 4, categoryId: 'news', audience: subjects, keyIds: ['new'] },
    })
  })
})

describe('a decision', () => {
  it('is an approver’s: neither a key’s, nor an editor’s, nor another unit’s', async () => {
    const id = await bind(api, { audience: query })
    for (const decide of [approve, reject]) {
      expect((await decide(id, byKey())).code).toBe('forbidden')
      expect((await decide(id, by('editor'))).code).toBe('forbidden')
      expect((await decide(id, { key: api.keys.b })).code).toBe('forbidden')
      expect((await decide(id, by('otherApprover'))).code).toBe('not_found')
    }
  })

  it('is not an author’s, whichever part they wrote', async () => {
    const id = await bind(api)
    await change(id, { audience: query }, by('approver'))
    expect((await approve(id)).code).toBe('self_approval')
    await change(id, { keyIds: ['new'], audience: { kind: 'query', roles: ['teacher'] } }, by('editor'))
    expect((await approve(id)).code).toBe('self_approval')
    expect((await approve(id, by('twoUnits'))).status).toBe(200)
  })

  it('is not theirs who wrote what was in force without a decision', async () => {
    const body = { source: 'sis', type: 'course.moved', categoryId: 'news', audience: query, enabled: false }
    const templateId = api.templates.approved
    const answer = await api.call('createEventBinding', { ...by('approver'), body: { ...body, templateId } })
    const { id } = answer.body
    await change(id, { enabled: true })
    expect((await approve(id)).code).toBe('self_approval')
    expect((await approve(id, by('twoUnits'))).status).toBe(200)
    // What a person has approved is theirs, not its authors'.
    await change(id, { keyIds: ['new'] })
    await change(id, { keyIds: null })
    expect((await approve(id)).status).toBe(200)
  })

  it('is about the version that was shown, and is made once', async () => {
    const id = await bind(api, { audience: query })
    await change(id, { categoryId: 'manual' })
    const late = await approve(id, by('approver'), { version: 1 })
    expect([late.code, late.body.error.details]).toEqual([
      'invalid_transition',
      { state: 'submitted', by: expect.stringMatching(/^key:/), at: expect.any(String) },
    ])
    const results = await Promise.all([
      approve(id, by('approver'), { version: 2 }),
      reject(id, by('twoUnits'), { reason: 'no', version: 2 }),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('rejects with a reason, which is shown; the version in force stays', async () => {
    const id = await bind(api)
    await change(id, { audience: query })
    expect((await reject(id, by('approver'), {})).code).toBe('validation_error')
    const decision = { by: { name: expect.any(String) }, reason: '範圍太大' }
    expect((await reject(id)).body).toMatchObject({ inForce: 1, newest: { state: 'rejected', decision } })
    expect(await nextEvent()).toBe('individual')
  })

  it('is audited, with the version and the reason', async () => {
    const id = await bind(api)
    await change(id, { audience: query })
    await reject(id)
    const trail = await auditRows(api.database.db, id, 'action', 'reason', 'details')
    const details = { source: 'sis', type: 'course.moved', enabled: true }
    expect(trail).toEqual([
      { action: 'create', reason: null, details: { ...details, version: 1, state: 'in_force' } },
      { action: 'edit', reason: null, details: { ...details, version: 2, state: 'submitted' } },
      { action: 'reject', reason: '範圍太大', details: { ...details, version: 2, state: 'rejected' } },
    ])
  })
})

describe('approvers', () => {
  const sendAll = () => sendNotices(sendNextNotice, api.services)

  it('are notified by mail of what waits, except its authors', async () => {
    await bind(api)
    expect(await sendAll()).toEqual([])
    const id = await bind(api, { type: 'course.cancelled', audience: query })
    const mails = await sendAll()
    expect(mails.length).toBeGreaterThan(1)
    for (const mailing of mails) {
      const mail = contentFor(mailing.content)
      expect(mail.subject).toContain('course.cancelled')
      expect(mail.text.join('')).toContain(`${publicUrl}/approvals/event_binding/${id}?version=1\n`)
    }
    await change(id, { categoryId: 'manual' }, by('approver'))
    expect(await sendAll()).toHaveLength(mails.length - 1)
  })

  it('are not notified of what is decided, replaced or deleted meanwhile', async () => {
    const [decided, replaced, deleted] = [
      await bind(api, { type: 'a', audience: query }),
      await bind(api, { type: 'b', audience: query }),
      await bind(api, { type: 'c', audience: query }),
    ]
    await reject(decided)
    await change(replaced, { enabled: false })
    await api.call('deleteEventBinding', { ...byKey(), id: deleted })
    expect(await sendAll()).toEqual([])
    const states = await api.database.db.selectFrom('notice').select('state').execute()
    expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['obsolete']))
  })
})
