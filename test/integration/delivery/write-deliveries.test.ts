import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '../../../src/db/connect.ts'
import type { AudienceSpec } from '../../../src/db/queries/audience/count.ts'
import { ensureDeliveryPartition, insertDeliveries } from '../../../src/db/queries/delivery/deliveries.ts'
import { lockForWriting } from '../../../src/db/queries/delivery/wave.ts'
import { newWave } from '../../fixtures/new-wave.ts'
import { populate } from '../../fixtures/population.ts'
import { freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)
const population = forFile(() => populate(database.db, 200))

const toAll: AudienceSpec = {
  unitId: randomUUID(),
  audience: { kind: 'all' },
  plan: { mode: 'all', channels: ['chat', 'email'] },
  categoryId: 'news',
  layer: 'promotional',
  consentScope: null,
  topicId: null,
}
const batchSizes = { chat: 20, email: 7 }

async function write(spec = toAll) {
  const { db } = database
  return db.transaction().execute(async (trx) => {
    const waveId = await newWave(trx)
    return {
      waveId,
      ...(await insertDeliveries(trx, waveId, { ...spec, messageId: randomUUID() }, batchSizes)),
    }
  })
}

function members(waveId: string) {
  return database.db
    .selectFrom('delivery as d')
    .innerJoin('subject as s', 's.id', 'd.subject_id')
    .select(['d.channel', 'd.batch', 'd.state', 's.locale', 's.id'])
    .where('wave_id', '=', waveId)
    .execute()
}

function batches(waveId: string) {
  return database.db
    .selectFrom('batch')
    .selectAll()
    .where('wave_id', '=', waveId)
    .orderBy('channel')
    .orderBy('number')
    .execute()
}

describe('the batches of a wave', () => {
  it('contain every pending delivery, each batch of one channel and locale and within its channel’s size', async () => {
    const { waveId } = await write()
    const rows = await members(waveId)
    for (const batch of await batches(waveId)) {
      const inside = rows.filter((row) => row.channel === batch.channel && row.batch === batch.number)
      expect(inside).toHaveLength(batch.size)
      expect(batch.size).toBeLessThanOrEqual(batchSizes[batch.channel])
      expect(new Set(inside.map((row) => row.locale))).toEqual(new Set([batch.locale]))
      expect(batch.state).toBe('open')
    }
    const pending = rows.filter((row) => row.state === 'pending')
    const sizes = (await batches(waveId)).reduce((sum, batch) => sum + batch.size, 0)
    expect(sizes).toBe(pending.length)
    expect(rows.filter((row) => row.batch === null).every((row) => row.state === 'skipped')).toBe(true)
  })

  it('are numbered without a gap from 0 in each channel, by locale, then subject', async () => {
    const { waveId } = await write()
    const rows = await members(waveId)
    for (const channel of ['chat', 'email'] as const) {
      const numbers = (await batches(waveId)).filter((batch) => batch.channel === channel)
      expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, place) => place))
      const pending = rows.filter((row) => row.channel === channel && row.batch !== null)
      const inOrder = pending.toSorted((a, b) => a.locale.localeCompare(b.locale) || (a.id < b.id ? -1 : 1))
      const order = inOrder.map((row) => row.batch!)
      expect(order).toEqual(order.toSorted((a, b) => a - b))
    }
  })

  it('are none if everyone is skipped', async () => {
    const nobody = { ...toAll, consentScope: 'unheard-of' }
    const { waveId, expected, skipped, byChannel } = await write(nobody)
    expect(await batches(waveId)).toEqual([])
    expect({ expected, skipped }).toEqual({ expected: 200, skipped: { noConsent: 200 } })
    expect(byChannel.chat).toEqual({
      expected: 200,
      sent: 0,
      failed: 0,
      unknown: 0,
      skipped: { noConsent: 200 },
    })
  })

  it('are none if no one is named', async () => {
    const { waveId, ...rest } = await write({
      ...toAll,
      audience: { kind: 'individual', uids: ['nobody'] },
    })
    expect(rest).toEqual({ expected: 0, skipped: {}, byChannel: {}, locales: {}, compared: null })
    expect(await batches(waveId)).toEqual([])
  })
})

it('a wave cannot be written twice', async () => {
  const { waveId } = await write()
  const spec = { ...toAll, messageId: randomUUID() }
  const again = database.db.transaction().execute((trx) => insertDeliveries(trx, waveId, spec, batchSizes))
  await expect(again).rejects.toThrow('duplicate key')
})

it('has a longer time limit for its own transaction alone', async () => {
  const limit = (db: Db) => sql<{ statement_timeout: string }>`show statement_timeout`.execute(db)
  const [within, after] = await database.db.connection().execute(async (connection) => [
    await connection.transaction().execute(async (trx) => {
      await lockForWriting(trx, await newWave(trx))
      return limit(trx)
    }),
    await limit(connection),
  ])
  expect(within.rows).toEqual([{ statement_timeout: '15min' }])
  expect(after.rows).toEqual([{ statement_timeout: '1min' }])
})

it('an outcome is written without touching an index (HOT)', async () => {
  const { waveId } = await write({ ...toAll, plan: { mode: 'all', channels: ['chat'] } })
  const { rows: places } = await sql<{ name: string }>`
    select tableoid::regclass::text as name from delivery where wave_id = ${waveId} limit 1`.execute(
    database.db,
  )
  const [{ name }] = places as [{ name: string }]
  const counted = async () => {
    const { rows } = await sql<{ updated: number; hot: number }>`
      select pg_stat_force_next_flush(), n_tup_upd as updated, n_tup_hot_upd as hot
      from pg_stat_user_tables where relname = ${name}`.execute(database.db)
    return rows[0]!
  }
  const before = await counted()
  const { numUpdatedRows } = await database.db
    .updateTable('delivery')
    .set({ state: 'sent' })
    .where('wave_id', '=', waveId)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  expect(numUpdatedRows).toBeGreaterThan(0n)
  await eventually(async () => {
    const after = await counted()
    const changed = { updated: after.updated - before.updated, hot: after.hot - before.hot }
    expect(changed).toEqual({ updated: Number(numUpdatedRows), hot: Number(numUpdatedRows) })
  })
})

describe('the partition of a wave', () => {
  const idOf = (moment: string) => {
    const hex = Date.parse(moment).toString(16).padStart(12, '0')
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`
  }

  it('is that of the month in which its id was made, in UTC, from the first instant to the last', async () => {
    const moments = ['2030-12-01T00:00:00.000Z', '2030-12-31T23:59:59.999Z', '2031-01-01T00:00:00.000Z']
    const rows = moments.map((moment) => ({
      wave_id: idOf(moment),
      subject_id: population.people[0]!.id,
      channel: 'chat' as const,
      state: 'pending' as const,
      batch: null,
      reason: null,
    }))
    for (const { wave_id } of rows) await ensureDeliveryPartition(database.db, wave_id)
    await database.db.insertInto('delivery').values(rows).execute()
    const count = async (name: string) =>
      (await sql`select from ${sql.table(name)}`.execute(database.db)).rows.length
    expect([await count('delivery_2030_12'), await count('delivery_2031_01')]).toEqual([2, 1])
  })

  it('is created once for many simultaneous requests', async () => {
    for (const month of ['01', '02', '03', '04', '05', '06', '07', '08']) {
      const id = idOf(`2032-${month}-10T00:00:00Z`)
      await Promise.all(Array.from({ length: 20 }, () => ensureDeliveryPartition(database.db, id)))
    }
    const { rows } = await sql`
      select from pg_inherits where inhparent = 'delivery'::regclass and inhrelid::regclass::text like 'delivery_2032%'
    `.execute(database.db)
    expect(rows).toHaveLength(8)
  })

  it('is created while others read and write, inside a transaction too', async () => {
    const { waveId } = await write()
    await database.db.transaction().execute(async (reader) => {
      await reader.selectFrom('delivery').selectAll().where('wave_id', '=', waveId).execute()
      await reader.updateTable('delivery').set({ reason: null }).where('wave_id', '=', waveId).execute()
      await database.db.transaction().execute(async (maker) => {
        await sql`set local lock_timeout = '2s'`.execute(maker)
        await ensureDeliveryPartition(maker, idOf('2033-01-10T00:00:00Z'))
      })
    })
  })
})
