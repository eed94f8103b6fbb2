import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '../../../src/db/connect.ts'
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
import { findWaveInfo } from '../../../src/db/queries/delivery/wave.ts'
import { markUnknown, repeatUnknown, skipFreeBatches } from '../../../src/db/queries/delivery/wave-end.ts'
import type { Database } from '../../../src/db/tables.ts'
import { makeDeliveryFixture } from '../../fixtures/delivery.ts'
import { activityAttempt } from '../../fixtures/delivery-steps.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { startedSend } from '../../fixtures/sends.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

/** The SQL of a batch's lifecycle as it reaches Postgres, so that reviews show its changes. `vitest -u` rewrites it. */

let watched: Db
const seen: string[] = []
const database = forFile(freshDatabase)
const fixture = forFile(() => makeDeliveryFixture(database.db))
const planned = forFile(async () => startedSend(fixture, await addRecipients(database.db, 8)))
beforeAll(async () => {
  watched = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: database.url, max: 1 }) }),
    log: ({ query }) => void seen.push(`${query.sql.trim()};`),
  })
})
afterAll(async () => {
  await watched.destroy()
})

/** What `work` sends to Postgres. */
async function sqlOf(work: () => Promise<unknown>): Promise<string> {
  seen.length = 0
  await work()
  const statements = seen.filter((line) => !/^(begin|commit|rollback)/.test(line))
  return `${statements.join('\n\n')}\n`
}

const golden = (name: string) => `../../golden/${name}.sql`

it('claiming, storing, ending, halving and skipping match their golden SQL', async () => {
  const wave = (await findWaveInfo(database.db, planned.waveId))!
  const claim = { waveId: planned.waveId, channel: 'chat' as const, claimId: randomUUID(), number: 0 }
  await expect(
    await sqlOf(() => claimBatch(watched, claim, activityAttempt(), 'Asia/Taipei')),
  ).toMatchFileSnapshot(golden('claim'))

  const call = { callNumber: 0, retryKey: randomUUID() }
  await expect(await sqlOf(() => storeCall(watched, claim, call, wave))).toMatchFileSnapshot(
    golden('store-call'),
  )

  const halving = () => watched.transaction().execute((trx) => halveBatch(trx, claim, 0))
  await expect(await sqlOf(halving)).toMatchFileSnapshot(golden('halve-batch'))

  const deferral = { afterMs: 200, code: 'http_500', tried: true }
  const deferring = () => deferBatch(watched, claim, deferral)
  await expect(await sqlOf(deferring)).toMatchFileSnapshot(golden('defer-batch'))
  const one = await database.db
    .selectFrom('delivery')
    .select('subject_id')
    .where('wave_id', '=', planned.waveId)
    .where('batch', '=', 0)
    .executeTakeFirstOrThrow()
  const splitting = () =>
    watched.transaction().execute((trx) => splitBatch(trx, claim, [one.subject_id], deferral))
  await expect(await sqlOf(splitting)).toMatchFileSnapshot(golden('split-batch'))

  const ending = { callNumber: 0, call: 'accepted', deliveries: 'sent', pushes: 2 } as const
  await expect(await sqlOf(() => endBatch(watched, claim, ending))).toMatchFileSnapshot(golden('end-batch'))

  const skipping = () =>
    watched.transaction().execute((trx) => skipFreeBatches(trx, planned.waveId, 'stopped', 20))
  await expect(await sqlOf(skipping)).toMatchFileSnapshot(golden('skip-batches'))
})

it('storing, ending and repeating mail match their golden SQL', async () => {
  const wave = (await findWaveInfo(database.db, planned.waveId))!
  const claim = { waveId: planned.waveId, channel: 'email' as const, claimId: randomUUID(), number: 0 }
  const call = { callNumber: 0, retryKey: randomUUID() }
  await expect(await sqlOf(() => storeCall(watched, claim, call, wave))).toMatchFileSnapshot(
    golden('store-mail-call'),
  )

  const members: SettledMember[] = [
    { subjectId: randomUUID(), address: 'a@example.edu', state: 'sent', reason: null },
  ]
  const settling = { callNumber: 0, call: 'accepted' as const, settled: members, paid: members, done: true }
  const settle = () => settleMembers(watched, claim, settling)
  await expect(await sqlOf(settle)).toMatchFileSnapshot(golden('settle-members'))

  const repeating = () => watched.transaction().execute((trx) => repeatUnknown(trx, planned.waveId, 64))
  await expect(await sqlOf(repeating)).toMatchFileSnapshot(golden('repeat-mail'))

  const leaving = () =>
    watched
      .transaction()
      .execute((trx) => markUnknown(trx, claim, [{ subjectId: randomUUID(), reason: 'blocked' }]))
  await expect(await sqlOf(leaving)).toMatchFileSnapshot(golden('mark-unknown'))
})

it('falling back to another channel matches its golden SQL', async () => {
  const wave = (await findWaveInfo(database.db, planned.waveId))!
  const looking = () =>
    watched.transaction().execute((trx) => findOpenChannels(trx, ['email'], [randomUUID()], wave))
  await expect(await sqlOf(looking)).toMatchFileSnapshot(golden('find-fallback'))

  const { waveId } = planned
  const fallback = { waveId, channel: 'email' as const, locale: 'en', subjectIds: [randomUUID()] }
  const inserting = () => watched.transaction().execute((trx) => insertFallback(trx, fallback, 64))
  await expect(await sqlOf(inserting)).toMatchFileSnapshot(golden('insert-fallback'))
})
