import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../../../src/db/connect.ts'
import { insertDeliveries } from '../../../src/db/queries/delivery/deliveries.ts'
import { checkInvariants } from '../../../src/db/queries/doctor/doctor.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { reserve } from '../../../src/db/queries/quota/quota.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { type Population, populate } from '../../fixtures/population.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

let db: Db
let population: Population
const database = forFile(freshDatabase)
beforeAll(async () => {
  db = database.db
  population = await populate(db, 100)
  await sql`truncate message, wave, delivery cascade`.execute(db)
  for (const scope of [population.unitId, 'pool'])
    await setDefaultLimit(db, { scope, channel: 'chat', limit: 500 })
})

/** Names of the invariants that something breaks. */
async function broken(): Promise<string[]> {
  return (await brokenInvariants(db)).map(({ name }) => name)
}

it('docs/operating.md says of each invariant what to do when it is violated, and of no other', async () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
  const [table] = /^\| violated \|(?:.*\n)+?\n/m.exec(page)!
  const explained = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, names]) => names!.split(', '))
  const checkNames = (await checkInvariants(db)).map(({ name }) => `\`${name}\``)
  expect(explained.toSorted()).toEqual(checkNames.toSorted())
})

let messageId: string
let waveId: string
/** A message that is sending, with its rows written and its quota reserved. */
beforeEach(async () => {
  await sql`truncate message, wave, batch, call, quota_reservation, quota_ledger, audit, delivery cascade`.execute(
    db,
  )
  const json = JSON.stringify({})
  messageId = (
    await insertRow(db, 'message', {
      unit_id: population.unitId,
      origin: 'api',
      category_id: 'news',
      title: json,
      audience: json,
      channel_plan: json,
      created_by: 'key:k',
      state: 'sending',
      observed_version: 1,
      schedule_at: '2026-11-01T00:00:00Z',
      expires_at: '2026-11-02T00:00:00Z',
    })
  ).id
  await writeTrail(['create', null, 'draft'], ['submit', 'draft', 'submitted'])
  await writeTrail(['approve', 'submitted', 'approved'], ['start', 'approved', 'sending'])
  await db.transaction().execute(async (trx) => {
    const wave = await trx
      .insertInto('wave')
      .values({ message_id: messageId, month: '2026-11-01', state: 'sending' })
      .returning('id')
      .executeTakeFirstOrThrow()
    waveId = wave.id
    const { expected } = await insertDeliveries(
      trx,
      waveId,
      {
        messageId,
        unitId: population.unitId,
        audience: { kind: 'all' },
        plan: { mode: 'all', channels: ['chat'] },
        categoryId: 'news',
        layer: 'mandatory',
        consentScope: null,
        topicId: null,
      },
      { chat: 10, email: 10 },
    )
    await trx.updateTable('wave').set({ expected }).where('id', '=', waveId).execute()
    await reserve(trx, {
      waveId,
      unitId: population.unitId,
      channel: 'chat',
      month: '2026-11-01',
      pushes: 40,
    })
  })
})

async function writeTrail(...steps: [string, string | null, string][]): Promise<void> {
  const rows = steps.map(([action, from_state, to_state]) => ({
    actor: 'key:k',
    action,
    object_kind: 'message',
    object_id: messageId,
    from_state,
    to_state,
  }))
  await db.insertInto('audit').values(rows).execute()
}

async function storeCall(firstTryAt: string, state: 'open' | 'accepted'): Promise<void> {
  const call = { wave_id: waveId, channel: 'chat' as const, batch: 0, call_number: 0, state }
  await sql`
    insert into call ${sql.raw('(wave_id, channel, batch, call_number, state, first_try_at, retry_key, subject_ids, addresses)')}
    values (${call.wave_id}, ${call.channel}, 0, 0, ${state}, ${firstTryAt}, gen_random_uuid(),
      array[gen_random_uuid()], array['U1'])
  `.execute(db)
}

describe('the doctor', () => {
  it('finds nothing if all invariants hold', async () => {
    await storeCall('2026-11-01T12:00:00Z', 'open')
    expect(await broken()).toEqual([])
  })

  it.each<[string, string[], () => Promise<unknown>]>([
    [
      'a lost row',
      ['rows-match-expected', 'members-match-size'],
      () =>
        sql`delete from delivery where ctid = (select ctid from delivery where batch = 0 limit 1)`.execute(
          db,
        ),
    ],
    [
      'a row in a batch that is not there',
      ['members-match-size'],
      () => sql`delete from batch where number = 1`.execute(db),
    ],
    [
      'a message closed too early',
      ['closed-leaves-none-pending', 'counts-match-rows', 'closed-reserves-nothing'],
      () => sql`update message set closed_at = now()`.execute(db),
    ],
    [
      'a ledger that has lost count',
      ['ledger-matches-reservations'],
      () => sql`update quota_ledger set reserved = 39`.execute(db),
    ],
    [
      'a ledger without its row',
      ['ledger-matches-reservations'],
      () => sql`delete from quota_ledger`.execute(db),
    ],
    [
      'a cost that the ledger has not committed',
      ['committed-matches-batches', 'pushes-match-calls'],
      () => sql`update batch set state = 'counted', pushes = 10 where number = 0`.execute(db),
    ],
    [
      'a call that was not counted',
      ['pushes-match-calls'],
      async () => {
        await storeCall('2026-11-01T12:00:00Z', 'accepted')
        await sql`update batch set state = 'counted' where number = 0`.execute(db)
      },
    ],
    [
      'a state without its audit row',
      ['trail-leads-to-state'],
      () => sql`update message set state = 'sent'`.execute(db),
    ],
    [
      'an illegal move',
      ['trail-leads-to-state'],
      async () => {
        await sql`update message set state = 'rejected'`.execute(db)
        await writeTrail(['reject', 'sending', 'rejected'])
      },
    ],
    [
      'a run that is late',
      ['runs-on-time'],
      () => sql`update message set next_wakeup_at = now() - interval '61 seconds'`.execute(db),
    ],
    [
      'a change that no run has seen',
      ['runs-on-time'],
      () => sql`update message set version = 2, changed_at = now() - interval '61 seconds'`.execute(db),
    ],
    [
      'a run that cannot be replayed',
      ['runs-replay'],
      () => sql`update message set wedged_at = now(), wedged_failures = 3`.execute(db),
    ],
    ['a call before its time', ['calls-on-time'], () => storeCall('2026-10-31T23:59:59Z', 'open')],
    ['a call after the end', ['calls-on-time'], () => storeCall('2026-11-02T00:00:01Z', 'open')],
  ])('sees %s', async (_, names, harm) => {
    await harm()
    expect(await broken()).toEqual(names)
  })

  it('allows a parked wave to be late', async () => {
    await sql`update message set next_wakeup_at = now() - interval '61 seconds'`.execute(db)
    await sql`update wave set parked = 'provider'`.execute(db)
    expect(await broken()).toEqual([])
  })

  it('reports violations by ids and numbers, the first twenty', async () => {
    await sql`update batch set size = size + 1`.execute(db)
    await sql`insert into batch (wave_id, channel, number, locale, size)
      select ${waveId}, 'chat', 100 + i, 'en', 5 from generate_series(1, 30) as i`.execute(db)
    const finding = (await checkInvariants(db)).find(({ name }) => name === 'members-match-size')!
    expect(finding.count).toBeGreaterThan(30)
    expect(finding.violations).toHaveLength(20)
    expect(finding.violations[0]).toMatch(/^wave [0-9a-f-]{36}: chat batch \d+: size \d+, \d* ?rows$/)
  })
})
