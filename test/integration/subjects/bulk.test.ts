import { describe, expect, it } from 'vitest'
import { upsertSubjects } from '../../../dev/people.ts'
import type { Channel } from '../../../src/contract/enums.ts'
import {
  isBoundElsewhere,
  setAddresses,
  setConsents,
  setPreferences,
  withdrawConsent,
} from '../../../src/db/queries/subject/consent.ts'
import { insertRow, selectRow } from '../../fixtures/rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)

function read(uid: string) {
  return database.db.selectFrom('subject').selectAll().where('uid', '=', uid).executeTakeFirstOrThrow()
}

async function newSubject(uid: string): Promise<string> {
  return (await upsertSubjects(database.db, [{ uid }])).get(uid)!
}

describe('people written in bulk', () => {
  it('are created with all their fields; new values are added, the rest stays', async () => {
    const whole = {
      uid: 's1',
      stage: 'lead' as const,
      locale: 'en' as const,
      displayName: 'Ada',
      roles: ['student', 'staff'],
      orgUnits: ['law'],
      classIds: ['c1'],
      tags: ['interest:go'],
      attributes: { year: 2 },
      acquisition: { source: 'import', ref: 'autumn' },
    }
    const first = await upsertSubjects(database.db, [whole, { uid: 's2' }])
    expect(await read('s1')).toMatchObject({
      id: first.get('s1'),
      stage: 'lead',
      locale: 'en',
      display_name: 'Ada',
      roles: ['student', 'staff'],
      org_units: ['law'],
      class_ids: ['c1'],
      tags: ['interest:go'],
      attributes: { year: 2 },
      acquisition_source: 'import',
      acquisition_ref: 'autumn',
    })
    expect(await read('s2')).toMatchObject({ stage: 'visitor', locale: 'zh-TW', roles: [], tags: [] })

    const again = await upsertSubjects(database.db, [{ uid: 's1', tags: ['alumni:law'] }])
    expect(again.get('s1')).toBe(first.get('s1'))
    expect(await read('s1')).toMatchObject({ display_name: 'Ada', tags: ['interest:go', 'alumni:law'] })
  })

  it('only move forward in stage, and keep what first brought them', async () => {
    const brought = (source: string) => ({ acquisition: { source } })
    await upsertSubjects(database.db, [{ uid: 's3', stage: 'member', ...brought('directory') }])
    await upsertSubjects(database.db, [{ uid: 's3', stage: 'lead', ...brought('import') }])
    expect(await read('s3')).toMatchObject({ stage: 'member', acquisition_source: 'directory' })
    await upsertSubjects(database.db, [{ uid: 's3', stage: 'alumni' }])
    expect(await read('s3')).toMatchObject({ stage: 'alumni', acquisition_source: 'directory' })
  })
})

describe('an address', () => {
  it('that is new is not blocked; the same one is unchanged', async () => {
    const subjectId = await newSubject('a1')
    const bind = (address: string) =>
      setAddresses(database.db, [{ subjectId, channel: 'chat', address, hash: null }])
    const blocked = async () => {
      const row = await selectRow(database.db, 'address', { subject_id: subjectId }, ['blocked_at'])
      return row.blocked_at !== null
    }
    await bind('U1')
    await database.db.updateTable('address').set({ blocked_at: new Date() }).execute()
    await bind('U1')
    expect(await blocked()).toBe(true)
    await bind('U2')
    expect(await blocked()).toBe(false)
  })

  it('belongs to one person only', async () => {
    const [one, two] = [await newSubject('a2'), await newSubject('a3')]
    const bind = (subjectId: string, channel: Channel, address: string) =>
      setAddresses(database.db, [{ subjectId, channel, address, hash: null }])
    await bind(one, 'email', 'x@example.org')
    for (const address of ['x@example.org', 'X@Example.org'])
      await expect(bind(two, 'email', address)).rejects.toSatisfy(isBoundElsewhere)
    await bind(one, 'chat', 'Ux')
    await expect(bind(two, 'chat', 'Ux')).rejects.toSatisfy(isBoundElsewhere)
    await bind(two, 'chat', 'UX')
  })
})

it('a consent is withdrawn once and can be given again', async () => {
  const subjectId = await newSubject('c1')
  const give = () =>
    setConsents(database.db, [{ subjectId, scope: 'admission', version: '1', source: 'form' }])
  await give()
  expect(await withdrawConsent(database.db, subjectId, 'admission')).toBe(true)
  expect(await withdrawConsent(database.db, subjectId, 'admission')).toBe(false)
  await give()
  expect(await withdrawConsent(database.db, subjectId, 'admission')).toBe(true)
})

it('a preference can be changed', async () => {
  const subjectId = await newSubject('p1')
  const json = JSON.stringify({})
  await insertRow(database.db, 'category', { id: 'news', name: json, layer: 'service', channel_plan: json })
  for (const enabled of [false, true])
    await setPreferences(database.db, [{ subjectId, categoryId: 'news', channel: 'chat', enabled }])
  const rows = await database.db.selectFrom('preference').select('enabled').execute()
  expect(rows).toEqual([{ enabled: true }])
})
