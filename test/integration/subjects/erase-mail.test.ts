import { expect, it } from 'vitest'
import { eraseSubject } from '../../../src/services/subjects/erase.ts'
import { makeDeliveryFixture, withFarEnds } from '../../fixtures/delivery.ts'
import { finishActiveWave, sendAll } from '../../fixtures/delivery-steps.ts'
import { completeErasures, placesOf } from '../../fixtures/erasure.ts'
import { producerPrincipal } from '../../fixtures/message-fixture.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { startedSend } from '../../fixtures/sends.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)

it('an address leaves every call that carried it, also of repeated mail', async () => {
  const fixture = await withFarEnds(await makeDeliveryFixture(database.db))
  const tag = await addRecipients(database.db, 3, ['email'])
  const planned = await startedSend(fixture, tag, { categoryId: 'repeated' })
  await fixture.mail.fault({ phase: 'dot', action: 'cut', times: 3 })
  await sendAll(fixture, planned)
  await finishActiveWave(fixture, planned)
  await sendAll(fixture, planned)
  await finishActiveWave(fixture, planned)
  const uid = `${tag}-1`
  const { address } = await database.db
    .selectFrom('subject')
    .innerJoin('address', 'subject_id', 'subject.id')
    .select('address')
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
  expect(await placesOf(database.db, address)).toEqual(['address', 'call'])
  const administrative = producerPrincipal(fixture.unit.id, { unitKind: 'administrative' })
  await eraseSubject(fixture.services, administrative, uid)
  await completeErasures(database.db)
  expect(await placesOf(database.db, address)).toEqual([])
})
