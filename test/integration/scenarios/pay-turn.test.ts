import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect, type Db } from '../../../src/db/connect.ts'
import { insertUnit } from '../../../src/db/queries/identity/unit.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { payTurn } from '../../../src/db/queries/quota/turn-payment.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

let db: Db
const database = forFile(freshDatabase)
beforeAll(async () => {
  db = connect(database.url, { poolSize: 10, acquireTimeoutMs: 60_000 })
})
afterAll(async () => {
  await db.destroy()
})

it('of 200 turns paid at once against 60 and 40, exactly 100 are paid, the unit’s own first', async () => {
  const { id: unitId } = await insertUnit(db, { name: 'Race', kind: 'ordinary' })
  await setDefaultLimit(db, { scope: unitId, channel: 'chat', limit: 60 })
  await setDefaultLimit(db, { scope: 'pool', channel: 'chat', limit: 40 })
  const account = { unitId, channel: 'chat', month: '2026-11-01' } as const
  const pay = () => db.transaction().execute((trx) => payTurn(trx, account))
  const paid = await Promise.all(Array.from({ length: 200 }, pay))
  const sum = (half: 'unit' | 'pool') => paid.reduce((total, halves) => total + (halves?.[half] ?? 0), 0)
  expect([sum('unit'), sum('pool'), paid.filter((halves) => halves === null).length]).toEqual([60, 40, 100])
  const rows = db.selectFrom('quota_ledger').select(['scope', 'committed']).orderBy('committed')
  expect(await rows.execute()).toEqual([
    { scope: 'pool', committed: 40 },
    { scope: unitId, committed: 60 },
  ])
})
