import { afterAll, beforeAll, expect, it } from 'vitest'
import { eraseSubject } from '../../../src/services/subjects/erase.ts'
import { sending } from '../../fixtures/delivery.ts'
import { clearAll, placesOf } from '../../fixtures/erasure.ts'
import { finishing, makeMailScene, readers, sendAll, withMailbox } from '../../fixtures/mail-delivery.ts'
import { producer } from '../../fixtures/message-fixture.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

it('an address leaves every call that carried it, also where its mail was sent once more', async () => {
  const scene = await withMailbox(await makeMailScene(database.db))
  const tag = await readers(database.db, 3)
  const planned = await sending(scene, tag, { categoryId: 'repeated' })
  await scene.box.fault({ phase: 'dot', action: 'cut', times: 3 })
  await sendAll(scene, planned)
  await finishing(scene, planned)
  await sendAll(scene, planned)
  await finishing(scene, planned)
  const uid = `${tag}-1`
  const { address } = await database.db
    .selectFrom('subject')
    .innerJoin('address', 'subject_id', 'subject.id')
    .select('address')
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
  expect(await placesOf(database.db, address)).toEqual(['address', 'call'])
  const office = producer(scene.unit.id, { unitKind: 'administrative' })
  await eraseSubject(scene.services, office, uid)
  await clearAll(database.db)
  expect(await placesOf(database.db, address)).toEqual([])
})
