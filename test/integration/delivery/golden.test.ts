import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { claimBatch } from '../../../src/db/queries/delivery/batch.ts'
import {
  deferBatch,
  endBatch,
  halveBatch,
  type SettledMember,
  settleMembers,
  splitBatch,
} from '../../../src/db/queries/delivery/batch-outcome.ts'
import { storeCall } from '../../../src/db/queries/delivery/call.ts'
import { findOpenChannels, insertFallback } from '../../../src/db/queries/delivery/deliveries.ts'
import { repeatUnknown } from '../../../src/db/queries/delivery/move-mails.ts'
import { findWaveInfo } from '../../../src/db/queries/delivery/wave.ts'
import { markUnknown, skipFreeBatches } from '../../../src/db/queries/delivery/wave-end.ts'
import { makeDeliveryFixture } from '../../fixtures/delivery.ts'
import { activityAttempt } from '../../fixtures/delivery-steps.ts'
import { sqlOf, watchedDatabase } from '../../fixtures/query-plans.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { selectRow } from '../../fixtures/rows.ts'
import { startedSend } from '../../fixtures/sends.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

/** The SQL of a batch's lifecycle as it reaches Postgres, so that reviews show its changes. `vitest -u` rewrites it. */

const clock = { quotaTimeZone: 'Asia/Taipei', server: null, paced: false }

const database = forFile(freshDatabase)
const watched = forFile(() => watchedDatabase(database.url))
const fixture = forFile(() => makeDeliveryFixture(database.db))
const planned = forFile(async () => startedSend(fixture, await addRecipients(database.db, 8)))

const golden = (name: string) => `../../golden/${name}.sql`

it('claiming, storing, ending, halving and skipping match their golden SQL', async () => {
  const wave = (await findWaveInfo(database.db, planned.waveId))!
  const claim = { waveId: planned.waveId, channel: 'chat' as const, claimId: randomUUID(), number: 0 }
  await expect(
    await sqlOf(watched, () => claimBatch(watched.db, claim, activityAttempt(), clock)),
  ).toMatchFileSnapshot(golden('claim'))

  const call = { callNumber: 0, retryKey: randomUUID() }
  await expect(await sqlOf(watched, () => storeCall(watched.db, claim, call, wave))).toMatchFileSnapshot(
    golden('store-call'),
  )

  const halving = () => watched.db.transaction().execute((trx) => halveBatch(trx, claim, 0))
  await expect(await sqlOf(watched, halving)).toMatchFileSnapshot(golden('halve-batch'))

  const deferral = { afterMs: 200, code: 'http_500', isTry: true }
  const deferring = () => deferBatch(watched.db, claim, deferral)
  await expect(await sqlOf(watched, deferring)).toMatchFileSnapshot(golden('defer-batch'))
  const one = await selectRow(database.db, 'delivery', { wave_id: planned.waveId, batch: 0 }, ['subject_id'])
  const splitting = () =>
    watched.db.transaction().execute((trx) => splitBatch(trx, claim, [one.subject_id], deferral))
  await expect(await sqlOf(watched, splitting)).toMatchFileSnapshot(golden('split-batch'))

  const ending = { callNumber: 0, call: 'accepted', deliveries: 'sent', pushes: 2 } as const
  await expect(await sqlOf(watched, () => endBatch(watched.db, claim, ending))).toMatchFileSnapshot(
    golden('end-batch'),
  )

  const skipping = () =>
    watched.db.transaction().execute((trx) => skipFreeBatches(trx, planned.waveId, 'stopped', 20))
  await expect(await sqlOf(watched, skipping)).toMatchFileSnapshot(golden('skip-batches'))
})

it('storing, ending and repeating mail match their golden SQL', async () => {
  const wave = (await findWaveInfo(database.db, planned.waveId))!
  const claim = { waveId: planned.waveId, channel: 'email' as const, claimId: randomUUID(), number: 0 }
  const call = { callNumber: 0, retryKey: randomUUID() }
  await expect(await sqlOf(watched, () => storeCall(watched.db, claim, call, wave))).toMatchFileSnapshot(
    golden('store-mail-call'),
  )

  const members: SettledMember[] = [
    { subjectId: randomUUID(), address: 'a@example.edu', state: 'sent', reason: null },
  ]
  const settling = { callNumber: 0, call: 'accepted' as const, settled: members, paid: members, done: true }
  const settle = () => settleMembers(watched.db, claim, settling)
  await expect(await sqlOf(watched, settle)).toMatchFileSnapshot(golden('settle-members'))

  const repeating = () => watched.db.transaction().execute((trx) => repeatUnknown(trx, planned.waveId, 64))
  await expect(await sqlOf(watched, repeating)).toMatchFileSnapshot(golden('repeat-mail'))

  const leaving = () =>
    watched.db
      .transaction()
      .execute((trx) => markUnknown(trx, claim, [{ subjectId: randomUUID(), reason: 'blocked' }]))
  await expect(await sqlOf(watched, leaving)).toMatchFileSnapshot(golden('mark-unknown'))
})

it('falling back to another channel matches its golden SQL', async () => {
  const wave = (await findWaveInfo(database.db, planned.waveId))!
  const looking = () =>
    watched.db.transaction().execute((trx) => findOpenChannels(trx, ['email'], [randomUUID()], wave))
  await expect(await sqlOf(watched, looking)).toMatchFileSnapshot(golden('find-fallback'))

  const { waveId } = planned
  const fallback = { waveId, channel: 'email' as const, locale: 'en', subjectIds: [randomUUID()] }
  const inserting = () => watched.db.transaction().execute((trx) => insertFallback(trx, fallback, 64))
  await expect(await sqlOf(watched, inserting)).toMatchFileSnapshot(golden('insert-fallback'))
})
