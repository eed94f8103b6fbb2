import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Channel, channels } from '../../../src/contract/enums.ts'
import { connect, type Db, type Trx } from '../../../src/db/connect.ts'
import { insertUnit } from '../../../src/db/queries/identity/unit.ts'
import { setDefaultLimit, setLimit } from '../../../src/db/queries/quota/ledger.ts'
import {
  adjustReservation,
  releaseAll,
  reserve,
  settleReservation,
} from '../../../src/db/queries/quota/quota.ts'
import { newWave } from '../../fixtures/new-wave.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'
import { brokenSums } from './broken-sums.ts'

let db: Db
const database = forFile(freshDatabase)
beforeAll(async () => {
  db = connect(database.url, { poolSize: 10, acquireTimeoutMs: 60_000 })
})
afterAll(async () => {
  await db.destroy()
})

const month = '2026-11-01'

describe('under races the ledger is exact', () => {
  it('of 200 concurrent reservations of 1 against 100, exactly 100 succeed', async () => {
    const { id: unitId } = await insertUnit(db, { name: 'Race', kind: 'ordinary' })
    await setDefaultLimit(db, { scope: unitId, channel: 'chat', limit: 60 })
    await setDefaultLimit(db, { scope: 'pool', channel: 'chat', limit: 40 })
    const waves = await Promise.all(Array.from({ length: 200 }, () => newWave(db)))
    const results = await Promise.all(
      waves.map((waveId) =>
        db
          .transaction()
          .execute((trx) => reserve(trx, { waveId, unitId, channel: 'chat', month, pushes: 1 })),
      ),
    )
    expect(results.filter(({ ok }) => ok)).toHaveLength(100)
    expect(results.filter(({ ok }) => !ok)).toContainEqual({ ok: false, short: 1 })
    const rows = await db
      .selectFrom('quota_ledger')
      .select(['scope', 'reserved'])
      .orderBy('reserved')
      .execute()
    expect(rows).toEqual([
      { scope: 'pool', reserved: 40 },
      { scope: unitId, reserved: 60 },
    ])
    expect(await brokenSums(db)).toEqual([])
  })

  it('in any order of events, the ledger equals what the waves hold and have spent', async () => {
    await fc.assert(fc.asyncProperty(fc.array(anyAct, { minLength: 20, maxLength: 80 }), actAllAtOnce), {
      numRuns: 25,
    })
  })
})

it('releasing several waves locks the account of the unit before that of the pool', async () => {
  const { id: unitId } = await insertUnit(db, { name: 'Late allotment', kind: 'ordinary' })
  const account = (scope: string) => ({ scope, channel: 'chat' as const })
  await setDefaultLimit(db, { ...account('pool'), limit: 1_000 })
  const reserveOne = async () => {
    const waveId = await newWave(db)
    const reservation = { waveId, unitId, channel: 'chat' as const, month, pushes: 1 }
    await db.transaction().execute((trx) => reserve(trx, reservation))
    return waveId
  }
  const ofPool = await reserveOne() // the unit has no allotment yet
  await db.transaction().execute((trx) => setLimit(trx, { ...account(unitId), month, limit: 10 }))
  const ofUnit = await reserveOne()
  const lock = (scope: string) => sql`
    select from quota_ledger where scope = ${scope} for no key update nowait`
  await commitWhileBlocked(
    db,
    (trx) => lock(unitId).execute(trx),
    () => db.transaction().execute((trx) => releaseAll(trx, ofPool, ofUnit)),
    () => lock('pool').execute(db),
  )
})

type Act = {
  what: 'reserve' | 'trueUp' | 'settle' | 'release'
  wave: number
  channels: Channel[]
  month: string
  pushes: number
  released: number
}
const anyAct: fc.Arbitrary<Act> = fc.record({
  what: fc.constantFrom('reserve', 'trueUp', 'settle', 'settle', 'release'),
  wave: fc.nat(5),
  channels: fc.subarray([...channels], { minLength: 1 }),
  month: fc.constantFrom('2026-11-01', '2026-11-01', '2026-12-01'),
  pushes: fc.nat(12),
  released: fc.nat(4),
})

/** Six waves of two units; moves on the same wave take turns by its row lock, as in a run. */
async function actAllAtOnce(acts: Act[]): Promise<void> {
  await db.deleteFrom('quota_reservation').execute()
  await db.deleteFrom('quota_ledger').execute()
  const units = [await newUnit(), await newUnit()]
  for (const channel of channels) await setDefaultLimit(db, { scope: 'pool', channel, limit: 25 })
  const waves = await Promise.all(
    Array.from({ length: 6 }, async (_, place) => ({ waveId: await newWave(db), unitId: units[place % 2]! })),
  )
  const spent = new Map<string, number>()
  await Promise.all(
    acts.map((act) =>
      db.transaction().execute(async (trx) => {
        const wave = waves[act.wave]!
        await trx.selectFrom('wave').select('id').where('id', '=', wave.waveId).forNoKeyUpdate().execute()
        if (act.what === 'release') return releaseAll(trx, wave.waveId)
        for (const channel of act.channels)
          await perform(trx, act, { ...wave, channel, month: act.month }, spent)
      }),
    ),
  )
  expect(await brokenSums(db)).toEqual([])
  const committed = await db
    .selectFrom('quota_reservation')
    .select(['wave_id', 'unit_committed', 'pool_committed'])
    .execute()
  for (const { waveId } of waves) {
    const rows = committed.filter((row) => row.wave_id === waveId)
    const sum = rows.reduce((total, row) => total + row.unit_committed + row.pool_committed, 0)
    expect(sum).toBe(spent.get(waveId) ?? 0)
  }
}

async function newUnit(): Promise<string> {
  const { id } = await insertUnit(db, { name: `Racing ${randomUUID()}`, kind: 'ordinary' })
  for (const channel of channels) await setDefaultLimit(db, { scope: id, channel, limit: 30 })
  return id
}

type Key = { waveId: string; unitId: string; channel: Channel; month: string }

async function perform(trx: Trx, { what, pushes, released }: Act, key: Key, spent: Map<string, number>) {
  if (what === 'reserve') return reserve(trx, { ...key, pushes })
  if (what === 'trueUp') return adjustReservation(trx, { ...key, pushes })
  const held = await heldBy(trx, key)
  const committed = Math.min(pushes, held)
  await settleReservation(trx, { ...key, committed, released: Math.min(released, held - committed) })
  spent.set(key.waveId, (spent.get(key.waveId) ?? 0) + committed)
}

async function heldBy(trx: Trx, { waveId, channel, month }: Key): Promise<number> {
  const row = await trx
    .selectFrom('quota_reservation')
    .select(['unit_reserved', 'pool_reserved'])
    .where('wave_id', '=', waveId)
    .where('channel', '=', channel)
    .where('month', '=', month)
    .executeTakeFirst()
  return row ? row.unit_reserved + row.pool_reserved : 0
}
