import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { upsertPerson } from '../../../dev/people.ts'
import { createSession } from '../../../src/services/identity/session.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

async function people(count: number, change: { tags?: string[]; org_units?: string[] }): Promise<string[]> {
  const rows = await api.database.db
    .insertInto('subject')
    .values(
      Array.from({ length: count }, () => ({
        uid: `value-${randomUUID()}`,
        stage: 'member' as const,
        ...change,
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

const ask = (query: object, as: CallOptions = { key: api.keys.a }) =>
  api.call('listAudienceValues', { ...as, query: { ...query } })
const names = async (query: object, as?: CallOptions) =>
  (await ask(query, as)).body.items.map(({ name }: { name: { 'zh-TW': string } }) => name['zh-TW'])

it('values of people are offered once five have them, by what they contain', async () => {
  await people(5, { tags: ['Choice:five', 'choice:六'], org_units: ['choice unit'] })
  await people(4, { tags: ['choice:four'] })
  expect(await names({ dimension: 'tags', q: 'CHOICE:' })).toEqual(['Choice:five', 'choice:六'])
  expect(await names({ dimension: 'tags', q: '六' })).toEqual(['choice:六'])
  expect(await names({ dimension: 'tags', q: '%' })).toEqual([])
  expect(await names({ dimension: 'orgUnits', q: 'choice' })).toEqual(['choice unit'])
  expect(await names({ dimension: 'classIds', q: 'choice' })).toEqual([])
})

it('values of people are called by the names that an administrator has given them', async () => {
  await people(5, { tags: ['named:a', 'named:b'], org_units: ['named:a'] })
  const person = { name: 'Admin', email: 'admin@example.edu', systemAdmin: true }
  const personId = await upsertPerson(api.database.db, person)
  const { token } = await createSession(api.database.db, 'operator:cli', { personId, hours: 1 })
  const administrator = { session: token }
  const set = (names: object[]) =>
    api.call('adminSetValueNames', { ...administrator, body: { dimension: 'tags', names } })
  const music = { 'zh-TW': '音樂', en: 'Music' }
  expect((await set([{ value: 'named:a', name: music }])).body).toEqual({ changed: 1 })
  const unnamed = { id: 'named:b', name: { 'zh-TW': 'named:b' } }
  expect((await ask({ dimension: 'tags', q: 'named:' })).body.items).toEqual([
    { id: 'named:a', name: music },
    unnamed,
  ])
  expect(await names({ dimension: 'tags', q: 'MUSIC' })).toEqual(['音樂'])
  expect(await names({ dimension: 'orgUnits', q: 'named:' })).toEqual(['named:a'])
  const list = { ...administrator, query: { dimension: 'tags' } }
  expect((await api.call('adminListValueNames', list)).body).toEqual({
    items: [{ dimension: 'tags', value: 'named:a', name: music }],
    nextCursor: null,
  })
  expect(
    (
      await set([
        { value: 'named:a', name: null },
        { value: 'named:c', name: null },
      ])
    ).body,
  ).toEqual({ changed: 1 })
  expect((await api.call('adminListValueNames', list)).body.items).toEqual([])
  expect((await set([{ value: '', name: music }])).code).toBe('validation_error')
  expect((await api.call('adminSetValueNames', { session: api.sessions.approver, body: {} })).code).toBe(
    'forbidden',
  )
})

it('groups are those of the unit with five members, and those by a rule', async () => {
  const { db } = api.database
  const members = await people(5, {})
  const group = (name: string, unit: string, kind: 'static' | 'dynamic') =>
    insertRow(db, 'subject_group', {
      ...{ unit_id: unit, name, kind },
      ...(kind === 'static'
        ? { legal_basis: 'consent' as const }
        : { query: '{"kind":"query","tags":["x"]}' }),
    })
  const [large, small, rule] = [
    await group('Choice large', api.units.a, 'static'),
    await group('Choice small', api.units.a, 'static'),
    await group('Choice rule', api.units.a, 'dynamic'),
  ]
  await group('Choice of another unit', api.units.b, 'dynamic')
  for (const [of, count] of [
    [large, 5],
    [small, 4],
  ] as const)
    await db
      .insertInto('group_member')
      .values(members.slice(0, count).map((subject_id) => ({ group_id: of.id, subject_id })))
      .execute()
  const { body } = await ask({ dimension: 'groups', q: 'choice' })
  expect(body.items).toEqual([
    { id: large.id, name: { 'zh-TW': 'Choice large' } },
    { id: rule.id, name: { 'zh-TW': 'Choice rule' } },
  ])
  expect(await names({ dimension: 'patterns' })).toEqual([])
})

it('a key sees the dimensions that it may use, a person those of their unit', async () => {
  expect((await ask({ dimension: 'tags' }, { key: api.keys.restricted })).code).toBe(
    'audience_dimension_not_allowed',
  )
  expect((await ask({ dimension: 'tags' }, { session: api.sessions.editor })).status).toBe(200)
  expect((await ask({ dimension: 'tags' }, { session: api.sessions.twoUnits })).code).toBe('unit_required')
  expect((await ask({ dimension: 'shoe sizes' })).code).toBe('validation_error')
})
