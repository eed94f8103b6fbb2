import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Trx } from '../../../src/db/connect.ts'
import { insertUnit } from '../../../src/db/queries/identity/unit.ts'
import {
  quotaForecaster,
  readLedger,
  setDefaultLimit,
  setLimit,
} from '../../../src/db/queries/quota/ledger.ts'
import {
  adjustReservation,
  releaseAll,
  reserve,
  settleReservation,
} from '../../../src/db/queries/quota/quota.ts'
import { newWave } from '../../fixtures/new-wave.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'
import { brokenSums } from './broken-sums.ts'

const month = '2026-11-01'
const nextMonth = '2026-12-01'

let unitId: string
let waveId: string
const database = forFile(freshDatabase)
beforeEach(async () => {
  const { db } = database
  unitId = (await insertUnit(db, { name: randomUUID(), kind: 'ordinary' })).id
  waveId = await newWave(db)
  await setDefaultLimit(db, { scope: unitId, channel: 'chat', limit: 10 })
  await db.deleteFrom('quota_reservation').execute()
  await db.deleteFrom('quota_ledger').execute()
  await setDefaultLimit(db, { scope: 'pool', channel: 'chat', limit: 5 })
})

function transaction<Value>(work: (trx: Trx) => Promise<Value>): Promise<Value> {
  return database.db.transaction().execute(work)
}

const holding = () => ({ waveId, unitId, channel: 'chat' as const, month })

/** What is reserved and committed of the unit's and the pool's account. */
async function accounts(of = month) {
  const rows = await database.db.selectFrom('quota_ledger').selectAll().where('month', '=', of).execute()
  const account = (scope: string) => {
    const { reserved = 0, committed = 0 } = rows.find((row) => row.scope === scope) ?? {}
    return [reserved, committed]
  }
  expect(await brokenSums(database.db)).toEqual([])
  return { unit: account(unitId), pool: account('pool') }
}

describe('a reservation', () => {
  it("is taken from the unit's own quota first, and the pool covers the rest", async () => {
    expect(await transaction((trx) => reserve(trx, { ...holding(), pushes: 8 }))).toEqual({ ok: true })
    expect(await accounts()).toEqual({ unit: [8, 0], pool: [0, 0] })
    expect(await transaction((trx) => reserve(trx, { ...holding(), pushes: 5 }))).toEqual({ ok: true })
    expect(await accounts()).toEqual({ unit: [10, 0], pool: [3, 0] })
  })

  it('that unit and pool together cannot cover takes nothing and returns what is missing', async () => {
    expect(await transaction((trx) => reserve(trx, { ...holding(), pushes: 18 }))).toEqual({
      ok: false,
      short: 3,
    })
    expect(await accounts()).toEqual({ unit: [0, 0], pool: [0, 0] })
  })

  it('of a unit without an allotment is covered by the pool alone', async () => {
    const other = await insertUnit(database.db, { name: 'Other', kind: 'ordinary' })
    const result = await transaction((trx) => reserve(trx, { ...holding(), unitId: other.id, pushes: 5 }))
    expect(result).toEqual({ ok: true })
    expect(await accounts()).toEqual({ unit: [0, 0], pool: [5, 0] })
  })

  it('is adjusted to what is needed: more is reserved, less is released', async () => {
    for (const [pushes, unit, pool] of [
      [12, 10, 2],
      [15, 10, 5],
      [11, 10, 1],
      [4, 4, 0],
      [0, 0, 0],
    ] as const) {
      expect(await transaction((trx) => adjustReservation(trx, { ...holding(), pushes }))).toEqual({
        ok: true,
      })
      expect(await accounts()).toEqual({ unit: [unit, 0], pool: [pool, 0] })
    }
    expect(await transaction((trx) => adjustReservation(trx, { ...holding(), pushes: 16 }))).toEqual({
      ok: false,
      short: 1,
    })
  })

  it('is spent from the unit first and given back to the pool first', async () => {
    await transaction((trx) => reserve(trx, { ...holding(), pushes: 14 }))
    await transaction((trx) => settleReservation(trx, { ...holding(), committed: 6, released: 2 }))
    expect(await accounts()).toEqual({ unit: [4, 6], pool: [2, 0] })
    await transaction((trx) => settleReservation(trx, { ...holding(), committed: 5, released: 0 }))
    expect(await accounts()).toEqual({ unit: [0, 10], pool: [1, 1] })
    await transaction((trx) => releaseAll(trx, waveId))
    expect(await accounts()).toEqual({ unit: [0, 10], pool: [0, 1] })
  })

  it('cannot be settled beyond what it holds', async () => {
    await transaction((trx) => reserve(trx, { ...holding(), pushes: 3 }))
    const tooMany = transaction((trx) => settleReservation(trx, { ...holding(), committed: 3, released: 1 }))
    await expect(tooMany).rejects.toThrow('holds fewer')
    expect(await accounts()).toEqual({ unit: [3, 0], pool: [0, 0] })
  })

  it('moves its rest to a later month; what was spent stays', async () => {
    await transaction((trx) => reserve(trx, { ...holding(), pushes: 14 }))
    await transaction((trx) => settleReservation(trx, { ...holding(), committed: 6, released: 0 }))
    const moved = await transaction((trx) =>
      adjustReservation(trx, { ...holding(), month: nextMonth, pushes: 8 }),
    )
    expect(moved).toEqual({ ok: true })
    expect(await accounts()).toEqual({ unit: [0, 6], pool: [0, 0] })
    expect(await accounts(nextMonth)).toEqual({ unit: [8, 0], pool: [0, 0] })
  })

  it('stays where it is if the later month cannot cover it', async () => {
    await transaction((trx) => reserve(trx, { ...holding(), pushes: 14 }))
    await transaction((trx) => setLimit(trx, { scope: 'pool', channel: 'chat', month: nextMonth, limit: 0 }))
    const moved = await transaction((trx) =>
      adjustReservation(trx, { ...holding(), month: nextMonth, pushes: 14 }),
    )
    expect(moved).toEqual({ ok: false, short: 4 })
    expect(await accounts()).toEqual({ unit: [10, 0], pool: [4, 0] })
    expect(await accounts(nextMonth)).toEqual({ unit: [0, 0], pool: [0, 0] })
  })

  it('is given back by all waves of a message at once, in every channel and month', async () => {
    const reminder = await newWave(database.db)
    await setDefaultLimit(database.db, { scope: unitId, channel: 'email', limit: 10 })
    await transaction(async (trx) => {
      await reserve(trx, { ...holding(), pushes: 4 })
      await reserve(trx, { ...holding(), waveId: reminder, month: nextMonth, pushes: 4 })
      await reserve(trx, { ...holding(), channel: 'email', pushes: 4 })
    })
    await transaction((trx) => releaseAll(trx, waveId, reminder))
    const left = await database.db.selectFrom('quota_ledger').where('reserved', '>', 0).execute()
    expect(left).toEqual([])
  })
})

describe('the ledger', () => {
  it('shows an untouched month with its defaults, and writes nothing', async () => {
    const rows = await readLedger(database.db, unitId, month)
    expect(rows).toEqual([
      {
        channel: 'chat',
        month: '2026-11',
        limit: 10,
        reserved: 0,
        committed: 0,
        poolRemaining: 5,
        threshold: 'ok',
      },
      expect.objectContaining({ channel: 'email', limit: 0, threshold: 'exhausted' }),
    ])
    expect(await database.db.selectFrom('quota_ledger').selectAll().execute()).toEqual([])
  })

  it('shows what is used, what the pool has left, and when it is low', async () => {
    await transaction((trx) => reserve(trx, { ...holding(), pushes: 12 }))
    await transaction((trx) => settleReservation(trx, { ...holding(), committed: 3, released: 2 }))
    const [chat] = await readLedger(database.db, unitId, month)
    expect(chat).toMatchObject({ reserved: 7, committed: 3, poolRemaining: 5, threshold: 'exhausted' })
  })

  it('predicts whether the quota covers a message', async () => {
    await transaction((trx) => reserve(trx, { ...holding(), pushes: 12 }))
    const forMore = (pushes: number) =>
      quotaForecaster(database.db)({ unitId, channel: 'chat', month, pushes })
    expect(await forMore(3)).toEqual({
      estimatedPushes: 3,
      unitRemaining: 0,
      poolRemaining: 3,
      wouldExceed: false,
    })
    expect(await forMore(4)).toMatchObject({ wouldExceed: true })
  })

  it('cannot be limited below what is used, and the error returns that amount', async () => {
    await transaction((trx) => reserve(trx, { ...holding(), pushes: 7 }))
    await transaction((trx) => settleReservation(trx, { ...holding(), committed: 3, released: 0 }))
    const limited = (limit: number) =>
      transaction((trx) => setLimit(trx, { scope: unitId, channel: 'chat', month, limit }))
    await expect(limited(6)).rejects.toMatchObject({ code: 'quota_exceeded', details: { used: 7 } })
    await limited(7)
    expect((await readLedger(database.db, unitId, month))[0]).toMatchObject({
      limit: 7,
      threshold: 'exhausted',
    })
  })

  it('accepts a new default for months that are still untouched', async () => {
    await transaction((trx) => reserve(trx, { ...holding(), pushes: 1 }))
    await setDefaultLimit(database.db, { scope: unitId, channel: 'chat', limit: 99 })
    expect((await readLedger(database.db, unitId, month))[0]!.limit).toBe(10)
    expect((await readLedger(database.db, unitId, nextMonth))[0]!.limit).toBe(99)
  })
})
