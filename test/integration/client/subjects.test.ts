import { beforeAll, expect, it } from 'vitest'
import type { Carillon } from '../../../client/src/index.ts'
import { startApi } from '../../fixtures/api.ts'
import { connectLibrary } from '../../fixtures/library.ts'
import { forFile } from '../../harness/for-file.ts'

let administrative: Carillon
let ordinary: Carillon
const api = forFile(startApi)
const library = forFile(() => connectLibrary(api))
beforeAll(async () => {
  administrative = library.as({ key: api.keys.administrative })
  ordinary = library.as({ key: api.keys.a })
})

it('binds a person, updates them, and records their consent', async () => {
  const uid = '學號/1 %'.replaceAll(' ', '_')
  const { subjectId } = await administrative.subjects.bind(uid, 'email', {
    address: 'mei@example.edu',
    acquisition: { source: 'chat_embed' },
  })
  await administrative.subjects.grantConsent(uid, { scope: 'admission', version: '1', source: 'form' })
  const updated = await administrative.subjects.update(subjectId, {
    stage: 'lead',
    tags: { add: ['interest:go'] },
  })
  expect(updated).toMatchObject({
    uid,
    stage: 'lead',
    tags: ['interest:go'],
    consents: [{ withdrawnAt: null }],
  })
  expect(await administrative.subjects.get(uid)).toEqual({ detail: 'full', ...updated })
  expect(await ordinary.subjects.get(subjectId)).toEqual({ detail: 'ids', uid, subjectId })
  expect((await administrative.subjects.revokeConsent(uid, 'admission')).withdrawnAt).not.toBeNull()
  expect(await administrative.subjects.unbind(uid, 'email')).toEqual({ subjectId })
})

it('resolves the ids that callbacks and Lookups carry', async () => {
  const { subjectId } = await administrative.subjects.get('s1')
  expect(await administrative.subjects.resolve([subjectId])).toEqual(new Map([[subjectId, 's1']]))
})

it('a key of an ordinary unit is rejected', async () => {
  const refused = ordinary.subjects.update('s1', { stage: 'lead' })
  await expect(refused).rejects.toMatchObject({ code: 'identity_api_forbidden', status: 403 })
})

it('reads what was said to a person, exports and erases them', async () => {
  const { subjects } = administrative
  const { subjectId } = await subjects.bind('leaving', 'email', { address: 'leaving@example.edu' })
  expect((await subjects.deliveries('leaving')).items).toEqual([])
  expect((await subjects.turns('leaving')).items).toEqual([])
  expect((await subjects.export('leaving')).subject).toMatchObject({ uid: 'leaving', subjectId })
  expect((await subjects.erase('leaving')).subjectId).toBe(subjectId)
  await expect(subjects.get('leaving')).rejects.toMatchObject({ code: 'not_found' })
})

it('imports people from a file', async () => {
  const { imports } = administrative
  const { id, state } = await imports.create('uid,stage\nB1,member\nB2,none\n', 'text/csv', { ref: 'autumn' })
  expect(state).toBe('queued')
  const lines = new Blob(['{"uid": "B3"}\n'])
  expect((await imports.create(lines, 'application/x-ndjson')).state).toBe('queued')
  expect(await imports.get(id)).toMatchObject({ id, state: 'queued' })
  expect((await imports.list({ limit: 1 })).nextCursor).not.toBeNull()
  expect((await imports.rejected(id)).items).toEqual([])
})

it('has had an answer to every operation about people', () => {
  expect(library.unanswered('Identity', 'Imports')).toEqual([])
})
