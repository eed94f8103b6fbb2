import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Planned, Scene } from './world.ts'

/** What must hold of a wave and of the whole ledger at any moment between two steps (quality, Invariants). */
export async function expectAccounted(scene: Scene, ...all: Planned[]): Promise<void> {
  for (const planned of all) {
    expect(await miscounted(scene, planned)).toEqual([])
    expectToldOnce(scene, await fates(scene, planned))
  }
  expect(await ledgerFaults(scene)).toEqual([])
}

/** I1, and every counter against the rows it stands for; I5 for a closed message. */
async function miscounted({ db }: Scene, { waveId }: Planned): Promise<unknown[]> {
  const { rows } = await sql`
    with rows as (
      select count(*) as expected, count(*) filter (where state = 'sent') as sent,
        count(*) filter (where state = 'failed') as failed, count(*) filter (where state = 'unknown') as unknown,
        count(*) filter (where state = 'skipped') as skipped, count(*) filter (where state = 'pending') as pending
      from delivery where wave_id = ${waveId}
    ),
    counted as (
      select wave.*, (select coalesce(sum(value::int), 0) from jsonb_each_text(skipped)) as all_skipped, closed_at
      from wave join message on message.id = message_id where wave.id = ${waveId}
    )
    select rows.*, to_jsonb(counted) as wave from rows, counted
    where rows.expected <> coalesce(counted.expected, 0)
      or (not exists (select from batch where wave_id = ${waveId} and state <> 'folded') and (
        rows.sent <> counted.sent or rows.failed <> counted.failed or rows.unknown <> counted.unknown
        or rows.skipped <> all_skipped))
      or (closed_at is not null and (rows.pending > 0 or exists (
        select from quota_reservation where wave_id = ${waveId} and unit_reserved + pool_reserved > 0)))
  `.execute(db)
  return rows
}

/** I4: every account is the sum of its reservations, and what was spent is what folded calls reached. */
async function ledgerFaults({ db }: Scene): Promise<unknown[]> {
  const { rows: accounts } = await sql`
    with held as (
      select unit_id::text as scope, channel, month, unit_reserved as reserved, unit_committed as committed
      from quota_reservation
      union all select 'pool', channel, month, pool_reserved, pool_committed from quota_reservation
    ),
    sums as (
      select scope, channel, month, sum(reserved) as reserved, sum(committed) as committed
      from held group by scope, channel, month
    )
    select ledger.*, sums.reserved as held, sums.committed as spent
    from quota_ledger as ledger left join sums using (scope, channel, month)
    where ledger.reserved <> coalesce(sums.reserved, 0) or ledger.committed <> coalesce(sums.committed, 0)
  `.execute(db)
  const { rows: waves } = await sql`
    with spent as (
      select wave_id, channel, sum(unit_committed + pool_committed) as committed
      from quota_reservation group by wave_id, channel
    ),
    pushed as (
      select wave_id, batch.channel, sum(cardinality(subject_ids)) as pushes
      from batch join call using (wave_id)
      where call.channel = batch.channel and call.batch = batch.number and batch.state = 'folded'
        and call.state in ('accepted', 'unknown')
      group by wave_id, batch.channel
    )
    select * from spent left join pushed using (wave_id, channel) where committed <> coalesce(pushes, 0)
  `.execute(db)
  return [...accounts, ...waves]
}

type Fate = { state: string; reason: string | null; address: string }

/** What became of everybody, by the address they have now. */
export async function fates({ db }: Scene, { waveId }: Planned): Promise<Fate[]> {
  const { rows } = await sql<Fate>`
    select state, reason, address from delivery join address using (subject_id, channel) where wave_id = ${waveId}
  `.execute(db)
  return rows
}

/** I2 and I13, of a message in one part: nobody twice; sent are told, skipped and failed are not. */
function expectToldOnce({ provider }: Scene, rows: Fate[]): void {
  const told = provider.journal.flatMap(({ to }) => to)
  expect(new Set(told).size).toBe(told.length)
  const heard = new Set(told)
  const wrong = rows.filter(
    ({ state, address }) =>
      state !== 'pending' && state !== 'unknown' && (state === 'sent') !== heard.has(address),
  )
  expect(wrong).toEqual([])
}
