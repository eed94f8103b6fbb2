import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Carillon } from '../../../client/src/index.ts'
import { type Api, startApi } from '../../fixtures/api.ts'

let api: Api
let administrative: Carillon
let ordinary: Carillon
beforeAll(async () => {
  api = await startApi()
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`
  administrative = new Carillon({ baseUrl, key: api.keys.administrative })
  ordinary = new Carillon({ baseUrl, key: api.keys.a })
})
afterAll(() => api.close())

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
  expect(await administrative.subjects.get(uid)).toEqual(updated)
  expect(await ordinary.subjects.get(subjectId)).toEqual({ uid, subjectId })
  expect((await administrative.subjects.revokeConsent(uid, 'admission')).withdrawnAt).not.toBeNull()
  expect(await administrative.subjects.unbind(uid, 'email')).toEqual({ subjectId })
})

it('a key of an ordinary unit is rejected', async () => {
  const refused = ordinary.subjects.update('s1', { stage: 'lead' })
  await expect(refused).rejects.toMatchObject({ code: 'identity_api_forbidden', status: 403 })
})
