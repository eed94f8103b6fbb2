import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db } from '../../../src/db/connect.ts'
import { claimBatch } from '../../../src/db/queries/batch.ts'
import { halveBatch } from '../../../src/db/queries/batch-halve.ts'
import { endBatch } from '../../../src/db/queries/batch-outcome.ts'
import { storeCall } from '../../../src/db/queries/call.ts'
import { skipFreeBatches } from '../../../src/db/queries/skip.ts'
import { waveBrief } from '../../../src/db/queries/wave-brief.ts'
import type { Database } from '../../../src/db/tables.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import { crowd, makeScene, type Planned, sending, step } from './world.ts'

/** The SQL of a batch's life, as it reaches Postgres: a change of it is seen in review. `vitest -u` writes it anew. */

let database: FreshDatabase
let planned: Planned
let watched: Db
const seen: string[] = []
beforeAll(async () => {
  database = await freshDatabase()
  planned = await sending(await makeScene(database.db), await crowd(database.db, 8))
  watched = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: database.url, max: 1 }) }),
    log: ({ query }) => void seen.push(`${query.sql.trim()};`),
  })
})
afterAll(async () => {
  await watched.destroy()
  await database.drop()
})

/** What `work` sends to Postgres. */
async function sqlOf(work: () => Promise<unknown>): Promise<string> {
  seen.length = 0
  await work()
  const statements = seen.filter((line) => !/^(begin|commit|rollback)/.test(line))
  return `${statements.join('\n\n')}\n`
}

const golden = (name: string) => `../../golden/${name}.sql`

it('claims, stores, ends, halves and skips as written down', async () => {
  const wave = (await waveBrief(database.db, planned.waveId))!
  const claim = { waveId: planned.waveId, channel: 'chat' as const, claimId: randomUUID(), number: 0 }
  await expect(await sqlOf(() => claimBatch(watched, claim, step(), 'Asia/Taipei'))).toMatchFileSnapshot(
    golden('claim'),
  )

  const call = { part: 0, retryKey: randomUUID() }
  await expect(await sqlOf(() => storeCall(watched, claim, call, wave))).toMatchFileSnapshot(
    golden('store-call'),
  )

  const halving = () => watched.transaction().execute((trx) => halveBatch(trx, claim, 0))
  await expect(await sqlOf(halving)).toMatchFileSnapshot(golden('halve-batch'))

  const ending = { part: 0, call: 'accepted', deliveries: 'sent', pushes: 2 } as const
  await expect(await sqlOf(() => endBatch(watched, claim, ending))).toMatchFileSnapshot(golden('end-batch'))

  const skipping = () =>
    watched.transaction().execute((trx) => skipFreeBatches(trx, planned.waveId, 'stopped', 20))
  await expect(await sqlOf(skipping)).toMatchFileSnapshot(golden('skip-batches'))
})
