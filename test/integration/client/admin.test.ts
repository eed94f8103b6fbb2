import { beforeAll, expect, it } from 'vitest'
import type { Admin } from '../../../client/src/index.ts'
import { startApi } from '../../fixtures/api.ts'
import { connectLibrary } from '../../fixtures/library.ts'
import { forFile } from '../../harness/for-file.ts'

let admin: Admin
const api = forFile(startApi)
const library = forFile(() => connectLibrary(api))
beforeAll(async () => {
  const session = api.sessions.stranger
  await api.database.db.updateTable('person').set({ system_admin: true }).execute()
  admin = library.as({ session }).admin
})

it('a unit gets members, keys, a source and quota', async () => {
  const unit = await admin.createUnit({ name: 'Loans', kind: 'ordinary', timeZone: 'Asia/Taipei' })
  expect(await admin.editUnit(unit.id, { name: 'Loans office' })).toEqual({ ...unit, name: 'Loans office' })
  expect((await admin.listUnits({ limit: 200 })).items.map(({ id }) => id)).toContain(unit.id)
  const person = await admin.createPerson({ email: 'mei@example.edu', name: 'Mei' })
  expect((await admin.editPerson(person.id, { name: 'Mei Lin' })).name).toBe('Mei Lin')
  expect((await admin.listPersons({ email: 'mei@example.edu' })).items).toMatchObject([{ id: person.id }])
  expect((await admin.changeRoles(unit.id, { personId: person.id, add: ['editor'] })).roles).toEqual([
    'editor',
  ])
  expect((await admin.listMembers(unit.id)).items.map(({ id }) => id)).toEqual([person.id])

  const { id, key } = await admin.createKey({ unitId: unit.id, name: 'Loans' })
  expect((await library.as({ key }).key.get()).unit.id).toBe(unit.id)
  expect((await admin.listKeys({ unitId: unit.id })).items.map((one) => one.id)).toEqual([id])
  expect((await admin.revokeKey(id)).revokedAt).not.toBeNull()
  const signing = await admin.createEventKey({ unitId: unit.id, name: 'Loans', sources: ['loans'] })
  expect((await admin.listEventKeys({ unitId: unit.id })).items.map((one) => one.id)).toEqual([signing.id])
  expect((await admin.revokeEventKey(signing.id)).revokedAt).not.toBeNull()
  const account = await admin.setQuota({ scope: unit.id, channel: 'chat', limit: 500, month: '2098-12' })
  expect((await admin.getQuota({ scope: unit.id, month: '2098-12' })).items).toContainEqual(account)
})

it('categories, values and Lookup endpoints are named and changed, and suppressions looked up', async () => {
  const names = { id: 'loans', name: { 'zh-TW': '借閱' }, layer: 'service' } as const
  await admin.createCategory({ ...names, channelPlan: { mode: 'all', channels: ['email'] } })
  expect((await admin.editCategory('loans', { enabled: false })).enabled).toBe(false)
  expect((await admin.listCategories({ limit: 200 })).items.map(({ id }) => id)).toContain('loans')
  const named = { value: 'cs', name: { 'zh-TW': '資訊工程學系', en: 'Computer Science' } }
  expect(await admin.setValueNames({ dimension: 'orgUnits', names: [named] })).toEqual({ changed: 1 })
  const { items } = await admin.listValueNames({ dimension: 'orgUnits' })
  expect(items).toEqual([{ dimension: 'orgUnits', ...named }])
  const { id } = await admin.createLookupEndpoint({ origin: 'https://loans.example.edu' })
  expect((await admin.listLookupEndpoints()).items.map((one) => one.id)).toEqual([id])
  expect(await admin.deleteLookupEndpoint(id)).toEqual({ deleted: true })
  const address = { channel: 'email', address: 'ann@example.edu' } as const
  expect((await admin.findSuppression(address)).suppression).toBeNull()
  const lifted = admin.liftSuppression({ ...address, reason: 'Its owner asked for mail again.' })
  await expect(lifted).rejects.toMatchObject({ code: 'not_found' })
})

it('has had an answer to every operation of administration but the one that found nothing', () => {
  expect(library.unanswered('Administration')).toEqual(['adminLiftSuppression'])
})
