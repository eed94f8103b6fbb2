import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { isTimeZone } from '../../../src/contract/common.ts'
import type { OperationId } from '../../../src/contract/endpoints.ts'
import { limits } from '../../../src/contract/limits.ts'
import { createPerson } from '../../../src/services/admin/persons.ts'
import { createSession } from '../../../src/services/identity/session.ts'
import { closeNextNights } from '../../../src/services/metrics/roll-up.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { auditRows, selectRow, selectRows, updateRows } from '../../fixtures/rows.ts'
import { forFile } from '../../harness/for-file.ts'

/** A system administrator, and their session. */
let admin: { id: string; session: string }
const api = forFile(startApi)
beforeAll(async () => {
  const { db } = api.database
  const person = { email: 'Root@example.edu', name: 'Root', systemAdmin: true }
  const { id } = await createPerson(db, 'operator:cli', person)
  const { token } = await createSession(db, 'operator:cli', { personId: id, hours: 1 })
  admin = { id, session: token }
})

const call = (operation: OperationId, options: CallOptions = {}) =>
  api.call(operation, { session: admin.session, ...options })
const post = async (operation: OperationId, body: unknown) => {
  const answer = await call(operation, { body })
  expect(answer.status).toBe(201)
  return answer.body
}
const audited = (objectId: string) =>
  auditRows(api.database.db, objectId, 'actor', 'action', 'object_kind', 'unit_id')

describe('administration', () => {
  it('is for system administrators only, whatever roles others have', async () => {
    for (const session of [api.sessions.editor, api.sessions.approver, api.sessions.stranger])
      for (const operation of [
        'adminListUnits',
        'adminListPersons',
        'adminListKeys',
        'adminListEventKeys',
        'adminGetQuota',
      ] as const)
        expect((await call(operation, { session })).code).toBe('forbidden')
  })

  it('grants no role in the units', async () => {
    expect((await call('getUnit', { id: api.units.a })).code).toBe('not_found')
    expect((await call('listMessages')).code).toBe('forbidden')
  })
})

it('lets at most 200 people of a unit have a role, and those who have one change theirs', async () => {
  const { db } = api.database
  const { id } = await post('adminCreateUnit', { name: 'Full' })
  await sql`
    with person as (
      insert into person (name, email) select 'Member', 'full-' || n || '@example.org'
      from generate_series(1, ${limits.membersPerUnit}::int) n returning id)
    insert into member (unit_id, person_id, role) select ${id}, id, 'editor' from person`.execute(db)
  const { person_id: personId } = await selectRow(db, 'member', { unit_id: id }, ['person_id'])
  const add = (person: string) =>
    call('adminChangeRoles', { id, body: { personId: person, add: ['approver'] } })
  expect((await add(personId)).body.roles).toEqual(['approver', 'editor'])
  expect(await add(admin.id)).toMatchObject({
    code: 'validation_error',
    body: { error: { message: expect.stringContaining('at most 200 people') } },
  })
})

describe('units', () => {
  it('are created, changed and listed by name', async () => {
    const unit = await post('adminCreateUnit', { name: 'Computer Centre', kind: 'administrative' })
    expect(unit).toMatchObject({ kind: 'administrative', timeZone: 'Asia/Taipei' })
    const changed = await call('adminEditUnit', { id: unit.id, body: { timeZone: 'Europe/Berlin' } })
    expect(changed.body).toEqual({ ...unit, timeZone: 'Europe/Berlin' })
    const first = (await call('adminListUnits', { query: { limit: '2' } })).body
    const second = (await call('adminListUnits', { query: { cursor: first.nextCursor } })).body
    const names = [...first.items, ...second.items].map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Admissions', 'Computer Centre', 'Library']))
    expect(names).toEqual([...names].sort())
    const actor = `person:${admin.id}`
    expect(await audited(unit.id)).toEqual([
      { actor, action: 'create', object_kind: 'unit', unit_id: unit.id },
      { actor, action: 'edit', object_kind: 'unit', unit_id: unit.id },
    ])
  })

  it('have a unique name and a valid time zone', async () => {
    const twice = await call('adminCreateUnit', { body: { name: 'Library' } })
    expect(twice.body.error).toMatchObject({
      code: 'validation_error',
      details: { issues: [{ path: 'name' }] },
    })
    const renamed = await call('adminEditUnit', { id: api.units.a, body: { name: 'Library' } })
    expect(renamed.code).toBe('validation_error')
    const nowhere = await call('adminCreateUnit', { body: { name: 'Nowhere', timeZone: 'Mars/Olympus' } })
    expect(nowhere.code).toBe('validation_error')
    const id = '01939a2e-0000-7000-8000-00000000dead'
    expect((await call('adminEditUnit', { id, body: { name: 'x' } })).code).toBe('not_found')
    expect((await call('adminListMembers', { id })).code).toBe('not_found')
  })

  it('have a time zone that Postgres knows, in which the days of all units are counted', async () => {
    // Node has this link; the list of IANA dropped it in 2020.
    const timeZone = 'US/Pacific-New'
    expect(isTimeZone(timeZone)).toBe(true)
    const unknown = { code: 'validation_error', details: { issues: [{ path: 'timeZone' }] } }
    const answer = await call('adminCreateUnit', { body: { name: 'Pacific', timeZone } })
    expect(answer.body.error).toMatchObject(unknown)
    const edited = await call('adminEditUnit', { id: api.units.b, body: { timeZone } })
    expect(edited.body.error).toMatchObject(unknown)
    await closeNextNights(api.services)
    expect((await api.call('getTrend', { key: api.keys.b })).status).toBe(200)
  })

  it('appear to recipients as they are described', async () => {
    const how = {
      displayName: { 'zh-TW': '出版中心', en: 'University Press' },
      replyTo: 'press@example.edu',
      sender: { name: { 'zh-TW': '出版中心' }, iconUrl: 'https://example.edu/press.png' },
    }
    const unit = await post('adminCreateUnit', { name: 'Press', ...how })
    expect(unit).toMatchObject(how)
    const edit = (body: object) => call('adminEditUnit', { id: unit.id, body })
    expect((await edit({ replyTo: null, sender: null })).body).toEqual({
      ...unit,
      replyTo: null,
      sender: null,
    })

    const pathsOf = async (body: object) =>
      (await edit(body)).body.error.details.issues.map(({ path }: { path: string }) => path)
    const sender = (iconUrl: string) => ({ sender: { ...how.sender, iconUrl } })
    expect(await pathsOf({ displayName: { 'zh-TW': 'a\nb', en: 'x\u202Ey' } })).toEqual([
      'displayName.zh-TW',
      'displayName.en',
    ])
    expect(await pathsOf({ replyTo: 'office@intranet.example\nBcc: all@example.edu' })).toEqual(['replyTo'])
    expect(await pathsOf({ sender: { name: { 'zh-TW': 'x'.repeat(21) } } })).toEqual(['sender.name.zh-TW'])
    for (const url of [
      'http://example.edu/a',
      'https://127.0.0.1/a',
      'https://intranet/a',
      'https://a@b.edu/a',
    ])
      expect(await pathsOf(sender(url))).toEqual(['sender.iconUrl'])

    const twin = await call('adminCreateUnit', {
      body: { name: 'Other press', displayName: how.displayName },
    })
    expect(twin.body.error.details.issues).toMatchObject([{ path: 'displayName.zh-TW' }])
  })

  it('have members, whose roles apply from the next call on', async () => {
    const person = await post('adminCreatePerson', { email: 'new@example.edu', name: 'New' })
    const { token: session } = await createSession(api.database.db, 'operator:cli', {
      personId: person.id,
      hours: 1,
    })
    const change = (body: object) =>
      call('adminChangeRoles', { id: api.units.a, body: { personId: person.id, ...body } })
    const create = () =>
      api.call('createMessage', { session, body: newMessage, headers: { 'idempotency-key': session } })
    expect((await create()).code).toBe('forbidden')
    expect((await change({ add: ['editor', 'approver'] })).body.roles).toEqual(['approver', 'editor'])
    expect((await create()).status).toBe(201)
    const { items } = (await call('adminListMembers', { id: api.units.a })).body
    expect(items).toContainEqual({
      ...{ id: person.id, name: 'New' },
      email: 'new@example.edu',
      roles: ['approver', 'editor'],
    })
    expect((await change({ remove: ['editor'] })).body.roles).toEqual(['approver'])
    expect((await change({ remove: ['editor'] })).body.roles).toEqual(['approver'])
    expect((await audited(person.id)).map(({ action }) => action)).toEqual(['create', 'add', 'remove'])
    expect((await change({ add: ['editor'], remove: ['editor'] })).code).toBe('validation_error')
    expect((await change({})).code).toBe('validation_error')
    expect((await change({ personId: api.units.a, add: ['editor'] })).code).toBe('not_found')
  })
})

describe('persons', () => {
  it('are set once for each address, in lower case, and changed', async () => {
    const person = await post('adminCreatePerson', { email: 'Mei@Example.edu', name: 'Mei', language: 'en' })
    expect(person).toMatchObject({
      email: 'mei@example.edu',
      systemAdmin: false,
      notices: true,
      authorNotices: ['rejected', 'approved', 'parked', 'failed'],
      handoffNotices: true,
      language: 'en',
    })
    const again = await call('adminCreatePerson', { body: { email: 'mei@example.EDU', name: 'Other' } })
    expect(again.code).toBe('validation_error')
    const edit = (body: object) => call('adminEditPerson', { id: person.id, body })
    expect((await edit({ subjectUid: 's1', notices: false })).body).toMatchObject({
      name: 'Mei',
      subjectUid: 's1',
    })
    expect((await edit({ subjectUid: null })).body).toMatchObject({ subjectUid: null, notices: false })
    expect((await edit({ handoffNotices: false })).body).toMatchObject({ handoffNotices: false })
    expect((await edit({ email: 'root@example.edu' })).code).toBe('validation_error')
    const page = await call('adminListPersons', { query: { email: 'MEI@example.edu' } })
    expect(page.body.items).toMatchObject([{ id: person.id }])
  })

  it.each([
    ['text that is no address', 'mei'],
    ['more than 64 characters before the @', `${'m'.repeat(65)}@example.edu`],
    [
      'more than 254 characters',
      `mei@${'m'.repeat(60)}.${'m'.repeat(60)}.${'m'.repeat(60)}.${'m'.repeat(60)}.example.edu`,
    ],
  ])('are rejected with %s', async (_, email) => {
    const { code, body } = await call('adminCreatePerson', { body: { email, name: 'Mei' } })
    expect(code).toBe('validation_error')
    expect(body.error.details.issues).toHaveLength(1)
  })

  it('always have a system administrator among them, though the last two dismiss each other', async () => {
    const other = await post('adminCreatePerson', {
      email: 'two@example.edu',
      name: 'Two',
      systemAdmin: true,
    })
    const dismiss = (id: string) => call('adminEditPerson', { id, body: { systemAdmin: false } })
    const codes = (await Promise.all([dismiss(admin.id), dismiss(other.id)])).map(({ code }) => code)
    expect(codes.filter((code) => code === null)).toHaveLength(1)
    const left = await selectRows(api.database.db, 'person', { system_admin: true }, ['id'])
    expect(left).toHaveLength(1)
    await updateRows(api.database.db, 'person', { id: admin.id }, { system_admin: true })
    await dismiss(other.id)
    expect((await dismiss(admin.id)).code).toBe('validation_error')
  })
})

describe('producer keys', () => {
  it('are shown once, work at once, and end at once', async () => {
    const { id, key } = await post('adminCreateKey', {
      unitId: api.units.a,
      name: 'LMS',
      dimensions: ['roles'],
    })
    expect((await api.call('listTopics', { key })).status).toBe(200)
    const { items } = (await call('adminListKeys', { query: { unitId: api.units.a, limit: '1' } })).body
    expect(items).toMatchObject([
      { id, name: 'LMS', categories: null, dimensions: ['roles'], revokedAt: null },
    ])
    expect(JSON.stringify(items)).not.toContain(key.split('_')[2])
    expect((await call('adminRevokeKey', { id })).body.revokedAt).not.toBeNull()
    expect((await api.call('listTopics', { key })).code).toBe('invalid_credential')
    expect((await call('adminRevokeKey', { id })).code).toBe('not_found')
  })

  it('have the rights to individuals, to groups and to speak in handoffs only where these are given', async () => {
    const issued = async (rights: object) => {
      const { id } = await post('adminCreateKey', { unitId: api.units.a, name: 'rights', ...rights })
      const { items } = (await call('adminListKeys', { query: { unitId: api.units.a } })).body
      return items.find((key: { id: string }) => key.id === id)
    }
    expect(await issued({})).toMatchObject({
      individualTargeting: false,
      groupWriting: false,
      handoffReply: false,
    })
    const all = { individualTargeting: true, groupWriting: true, handoffReply: true }
    expect(await issued(all)).toMatchObject(all)
  })

  it('are for an existing unit, existing categories and dimensions; they are listed page by page', async () => {
    const create = (parts: object) =>
      call('adminCreateKey', { body: { unitId: api.units.a, name: 'x', ...parts } })
    expect((await create({ unitId: '01939a2e-0000-7000-8000-00000000dead' })).code).toBe('not_found')
    expect((await create({ dimensions: ['shoe size'] })).code).toBe('validation_error')
    const misspelt = await create({ categories: ['news', 'nwes'] })
    expect(misspelt.body.error).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('nwes'),
      details: { issues: [{ path: 'categories[1]', message: 'must be an existing category' }] },
    })
    expect((await create({ categories: [] })).code).toBe('validation_error')
    const { id } = (await create({ categories: ['news', 'news'], dimensions: ['all', 'all'] })).body
    const { items } = (await call('adminListKeys', { query: { unitId: api.units.a } })).body
    expect(items.find((key: { id: string }) => key.id === id)).toMatchObject({
      categories: ['news'],
      dimensions: ['all'],
    })
    const all = (await call('adminListKeys', { query: { limit: '200' } })).body.items
    const first = (await call('adminListKeys', { query: { limit: '2' } })).body
    const second = (await call('adminListKeys', { query: { limit: '2', cursor: first.nextCursor } })).body
    expect([...first.items, ...second.items]).toEqual(all.slice(0, 4))
  })
})

describe('categories', () => {
  const body = { id: 'grades', name: { 'zh-TW': '成績' }, layer: 'service' }
  const channelPlan = { mode: 'all', channels: ['chat', 'email'] }

  it('are created with defaults, changed, and disabled', async () => {
    const category = await post('adminCreateCategory', {
      ...body,
      channelPlan,
      frequencyCap: { messages: 3, days: 7 },
    })
    expect(category).toMatchObject({
      approval_rule: 'manual',
      onUnknown: 'keep',
      enabled: true,
      quietHours: null,
    })
    const edit = (patch: object) => call('adminEditCategory', { id: 'grades', body: patch })
    const quietHours = { from: '22:00', to: '07:00' }
    const changed = (
      await edit({ quietHours, frequencyCap: null, approval_rule: 'auto', autoMaxRecipients: 9 })
    ).body
    const expected = { quietHours, frequencyCap: null, approval_rule: 'auto', autoMaxRecipients: 9 }
    expect(changed).toEqual({ ...category, ...expected })
    await edit({ enabled: false })
    const items = (await api.call('listCategories', { key: api.keys.a })).body.items
    expect(items.map(({ id }: { id: string }) => id)).not.toContain('grades')
    const all = (await call('adminListCategories')).body.items
    expect(all).toContainEqual({ ...changed, enabled: false })
    expect((await audited('grades')).map(({ action }) => action)).toEqual(['create', 'edit', 'edit'])
  })

  it.each([
    ['an id that exists', { id: 'news' }],
    ['an id that is no word', { id: 'a b' }],
    ['hours that are none', { quietHours: { from: '25:00', to: '07:00' } }],
    ['hours without an end', { quietHours: { from: '07:00', to: '07:00' } }],
    ['a cap of nothing', { frequencyCap: { messages: 0, days: 7 } }],
    ['a channel that is none', { channelPlan: { mode: 'all', channels: ['fax'] } }],
    ['a channel twice', { channelPlan: { mode: 'all', channels: ['chat', 'chat'] } }],
    ['an automatic check that can approve no message', { approval_rule: 'auto' }],
    ['a name that reverses what stands beside it', { name: { 'zh-TW': '成績\u202e' } }],
  ])('are rejected with %s', async (_, wrong) => {
    const answer = await call('adminCreateCategory', {
      body: { ...body, id: 'other', channelPlan, ...wrong },
    })
    expect(answer.code).toBe('validation_error')
  })

  it('that are unknown are not found', async () => {
    expect((await call('adminEditCategory', { id: 'nowhere', body: { enabled: false } })).code).toBe(
      'not_found',
    )
  })
})

describe('quota', () => {
  const get = async (query: Record<string, string>) => (await call('adminGetQuota', { query })).body.items
  const set = (body: object) =>
    call('adminSetQuota', { body: { scope: api.units.a, channel: 'chat', ...body } })

  it('is set for one month, or for this one and all later ones', async () => {
    const month = '2031-01'
    expect((await set({ limit: 7, month })).body).toMatchObject({ month, limit: 7, defaultLimit: 100 })
    expect((await set({ limit: 300 })).body).toMatchObject({ limit: 300, defaultLimit: 300 })
    expect(await get({ scope: api.units.a, month })).toMatchObject([
      { limit: 7 },
      { channel: 'email', limit: 0 },
    ])
    expect(await get({ scope: api.units.a, month: '2031-02' })).toMatchObject([{ limit: 300 }, {}])
    expect(await get({})).toMatchObject([{ scope: 'pool', limit: 50, threshold: 'ok' }, {}])
  })

  it('cannot be set below what is used, and the error returns that amount', async () => {
    const month = '2031-03'
    await set({ limit: 100, month })
    await api.database.db
      .updateTable('quota_ledger')
      .set({ reserved: 60, committed: 25 })
      .where('month', '=', '2031-03-01')
      .execute()
    const { body } = await set({ limit: 84, month })
    expect(body.error).toMatchObject({ code: 'quota_exceeded', details: { used: 85 } })
    expect((await set({ limit: 85, month })).body).toMatchObject({ limit: 85, threshold: 'exhausted' })
    await api.database.db.updateTable('quota_ledger').set({ reserved: 0 }).execute()
  })

  it('requires an existing unit and a month', async () => {
    expect((await set({ scope: admin.id, limit: 1 })).code).toBe('not_found')
    for (const month of ['2031-13', '0000-01', '1999-12']) {
      expect((await set({ limit: 1, month })).code).toBe('validation_error')
      expect((await call('adminGetQuota', { query: { month } })).code).toBe('validation_error')
    }
    expect((await call('adminGetQuota', { query: { scope: admin.id } })).code).toBe('not_found')
  })
})
