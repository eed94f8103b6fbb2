import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { upsertPerson } from '../../../dev/people.ts'
import type { OperationId } from '../../../src/contract/endpoints.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { makeObject } from '../../fixtures/objects.ts'
import { administratorSession } from '../../fixtures/seed.ts'
import { bind } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'

let admin: string
const api = forFile(startApi)
beforeAll(async () => {
  admin = await administratorSession(api.database.db)
})

async function rowsSince(id: number) {
  const { db } = api.database
  return db
    .selectFrom('audit')
    .select(['id', 'action', 'details'])
    .where('id', '>', id)
    .orderBy('id')
    .execute()
}

async function lastRow(): Promise<number> {
  return Number((await rowsSince(0)).at(-1)?.id ?? 0)
}

type Change = { operation: OperationId; options: CallOptions }
const byKey = (operation: OperationId, id: string, body: object): Change => ({
  operation,
  options: { key: api.keys.a, id, body },
})
const byAdmin = (operation: OperationId, body: object, id?: string): Change => ({
  operation,
  options: { session: admin, body, ...(id && { id }) },
})
const aboutSubject = async (operation: OperationId, body: object): Promise<Change> => ({
  operation,
  options: { key: api.keys.administrative, id: await makeObject.Identity!(api), body },
})
const newPerson = () =>
  upsertPerson(api.database.db, { name: 'Person', email: `${randomUUID()}@example.edu` })

/** Changes that can be requested twice: the second time, nothing changes. */
const changes: Record<string, () => Promise<Change>> = {
  'the organisers of a pattern': async () => {
    const { members } = (await api.call('getUnit', { key: api.keys.a, id: api.units.a })).body
    const id = await makeObject.Patterns!(api)
    const body = { organisers: [members[0].id] }
    return { operation: 'namePatternOrganisers', options: { session: api.sessions.approver, id, body } }
  },
  'the stage and tags of a subject': () =>
    aboutSubject('updateSubject', {
      stage: 'member',
      tags: { add: ['interest:law'], remove: ['interest:art'] },
    }),
  'the profile of a subject': () =>
    aboutSubject('updateSubject', { profile: { displayName: 'Name', attributes: { seat: 4, gone: null } } }),
  'the first contact of a subject': () =>
    aboutSubject('updateSubject', { acquisition: { source: 'directory', ref: '2026' } }),
  'an address': () => aboutSubject('bindAddress', { address: `U${randomUUID()}` }),
  'a consent': () => aboutSubject('grantConsent', { scope: 'admission', version: '1', source: 'desk' }),
  preferences: async () => ({
    operation: 'putPreferences',
    options: {
      headers: { 'x-mock-channel-user': 'Us2' },
      body: { language: 'en', categories: { news: { chat: false } } },
    },
  }),
  'a draft': async () =>
    byKey('editMessage', await makeObject.Messages!(api), {
      categoryId: 'manual',
      audience: { kind: 'query', roles: ['student', 'staff'] },
      messages: [{ kind: 'text', text: { 'zh-TW': '新的', en: 'New' } }],
      scheduleAt: '2037-01-01T09:00:00+08:00',
      topicId: api.topics.active,
    }),
  'a schedule': async () =>
    byKey('editSchedule', await makeObject.Schedules!(api), { cron: '30 9 * * *', enabled: false }),
  'a topic': async () => {
    const { id } = (await api.call('createTopic', { key: api.keys.a, body: { name: { 'zh-TW': '舊' } } }))
      .body
    return byKey('editTopic', id, { name: { 'zh-TW': '新', en: 'New' }, status: 'inactive' })
  },
  'a group': async () =>
    byKey('editGroup', await makeObject.Groups!(api), { name: 'New', legalBasis: 'contract' }),
  'the query of a group': async () => {
    const body = { name: 'Dynamic', kind: 'dynamic', query: { kind: 'query', roles: ['student'] } }
    const { id } = (await api.call('createGroup', { key: api.keys.a, body })).body
    return byKey('editGroup', id, { query: { kind: 'query', roles: ['staff'] } })
  },
  'the members of a group': async () =>
    byKey('changeMembers', await makeObject.Groups!(api), { add: ['s1'] }),
  'an event binding': async () =>
    byKey('updateEventBinding', await bind(api, { type: randomUUID() }), { enabled: false }),
  'a callback': async () =>
    byKey('editCallback', await makeObject.Callbacks!(api), { description: 'new', enabled: false }),
  'a unit': async () => byAdmin('adminEditUnit', { timeZone: 'Europe/Paris' }, api.units.b),
  'the roles of a person': async () =>
    byAdmin('adminChangeRoles', { personId: await newPerson(), add: ['editor'] }, api.units.b),
  'a person': async () => byAdmin('adminEditPerson', { language: 'en', notices: false }, await newPerson()),
  'a category': async () => byAdmin('adminEditCategory', { consentScope: 'news' }, 'mail'),
  'the names of values': async () =>
    byAdmin('adminSetValueNames', {
      dimension: 'tags',
      names: [{ value: 'cohort:2026', name: { 'zh-TW': '115 級' } }],
    }),
  'a quota': async () => byAdmin('adminSetQuota', { scope: api.units.b, channel: 'email', limit: 70 }),
  'the quota of a month': async () =>
    byAdmin('adminSetQuota', { scope: api.units.b, channel: 'email', limit: 71, month: '2036-01' }),
}

it.each(Object.keys(changes))(
  'the audit log names a change of %s once, however often it is requested',
  async (what) => {
    const { operation, options } = await changes[what]!()
    const before = await lastRow()
    const { code, body } = await api.call(operation, options)
    expect(code, JSON.stringify(body)).toBeNull()
    expect(await rowsSince(before)).toHaveLength(1)
    const once = await lastRow()
    const again = await api.call(operation, options)
    expect(again.code).toBeNull()
    expect(await rowsSince(once)).toEqual([])
  },
)

async function detailsOf({ operation, options }: Change) {
  const before = await lastRow()
  expect((await api.call(operation, options)).code).toBeNull()
  return (await rowsSince(before)).map(({ details }) => details)
}

it('names only the fields that changed', async () => {
  const subject = await aboutSubject('updateSubject', { stage: 'member' })
  await api.call('updateSubject', subject.options)
  const body = {
    stage: 'visitor',
    tags: { add: ['interest:law'] },
    profile: { locale: 'zh-TW', displayName: 'Name' },
  }
  expect(await detailsOf({ ...subject, options: { ...subject.options, body } })).toEqual([
    { changed: ['tags', 'profile.displayName'] },
  ])

  const message = await makeObject.Messages!(api)
  expect(
    await detailsOf(byKey('editMessage', message, { ...newMessage, expiresAt: '2037-01-01T00:00:00Z' })),
  ).toEqual([{ fields: ['expiresAt'] }])
  const personId = await newPerson()
  const roles = (add: string[]) => byAdmin('adminChangeRoles', { personId, add }, api.units.b)
  await detailsOf(roles(['editor']))
  expect(await detailsOf(roles(['editor', 'approver']))).toEqual([{ roles: ['approver'] }])
  expect(
    await detailsOf(
      byAdmin('adminEditPerson', { name: 'Person', systemAdmin: false, notices: false }, personId),
    ),
  ).toEqual([{ fields: ['notices'] }])
  const unit = { name: 'Library', timeZone: 'Europe/Rome' }
  expect(await detailsOf(byAdmin('adminEditUnit', unit, api.units.b))).toEqual([{ timeZone: 'Europe/Rome' }])
})

it('names no stage that a subject did not reach, and no replay that reopened nothing', async () => {
  const subject = await aboutSubject('updateSubject', { stage: 'alumni' })
  await api.call('updateSubject', subject.options)
  expect(await detailsOf({ ...subject, options: { ...subject.options, body: { stage: 'lead' } } })).toEqual(
    [],
  )
  const id = await bind(api, { type: randomUUID() })
  expect(await detailsOf({ operation: 'replayEventBinding', options: { key: api.keys.a, id } })).toEqual([])
})

it('an edit that changes nothing makes neither a version nor an author', async () => {
  const id = await makeObject.Messages!(api)
  const session = api.sessions.approver
  const { body } = await api.call('editMessage', { session, id, body: newMessage })
  expect(body).toEqual({ state: 'draft', version: 1 })
  await api.call('submitMessage', { key: api.keys.a, id })
  expect((await api.call('getMessage', { session, id })).body.allowed.approve.allowed).toBe(true)
})
