import { sql } from 'kysely'
import type { Trx } from '../connect.ts'
import { type Claim, ours } from './batch.ts'
import { failing, type PutOff } from './batch-outcome.ts'

/**
 * Moves these members of a batch, who are still pending, to a batch of their own: free at once, or put off. How often and
 * since when they were put off before goes along. What earlier parts sent to them stays with the batch they leave, so it
 * is for batches without such parts. The caller holds the wave's row lock, so that no two take the same number, and
 * `lockOurs`.
 */
export async function splitBatch(
  trx: Trx,
  claim: Claim,
  subjectIds: string[],
  putOff: PutOff | null,
): Promise<void> {
  const { waveId, channel, number } = claim
  const { rows } = await sql<{ number: number }>`
    insert into batch (wave_id, channel, number, locale, size, repeats, tries, failing_since, code)
    select wave_id, channel, ${nextNumber(claim)}, locale, ${subjectIds.length}::integer, repeats, tries, failing_since,
      code
    from batch where ${ours(claim)}
    returning number
  `.execute(trx)
  const apart = rows[0]!.number
  await sql`
    update delivery set batch = ${apart}
    where wave_id = ${waveId} and channel = ${channel} and batch = ${number} and state = 'pending'
      and subject_id = any(${subjectIds}::uuid[])
  `.execute(trx)
  await sql`update batch set size = size - ${subjectIds.length}::integer where ${ours(claim)}`.execute(trx)
  if (!putOff) return
  await sql`
    update batch set ${failing(putOff)} where wave_id = ${waveId} and channel = ${channel} and number = ${apart}
  `.execute(trx)
}

/**
 * Halves a batch: the second half of those still pending moves to a new batch, both are free at once, and the call that
 * settled nothing goes, so that each half is called under a key of its own. What earlier parts sent to the movers moves
 * with them, on calls and ledger counts. The caller holds the wave's row lock, so that two halvings do not take the same
 * number, and `lockOurs`.
 */
export async function halveBatch(trx: Trx, claim: Claim, part: number): Promise<void> {
  const { waveId, channel, number } = claim
  const { rows } = await sql<Half>`
    with pending as (
      select subject_id, row_number() over (order by subject_id) as place, count(*) over () as size
      from delivery
      where wave_id = ${waveId} and channel = ${channel} and batch = ${number} and state = 'pending'
    )
    select ${nextNumber(claim)} as number, array_agg(subject_id) as movers
    from pending where place > size / 2
  `.execute(trx)
  const half = rows[0]!
  await sql`
    delete from call
    where wave_id = ${waveId} and channel = ${channel} and batch = ${number} and part >= ${part}
  `.execute(trx)
  await insertHalf(trx, claim, half)
  await sql`
    update delivery set batch = ${half.number}
    where wave_id = ${waveId} and channel = ${channel} and subject_id = any(${half.movers}::uuid[])
  `.execute(trx)
  await shareAcceptedCalls(trx, claim, half)
}

/** The number of a wave's next batch. Under the wave's row lock. */
function nextNumber({ waveId, channel }: Claim) {
  return sql<number>`(select max(number) + 1 from batch where wave_id = ${waveId} and channel = ${channel})`
}

type Half = { number: number; movers: string[] }

async function insertHalf(trx: Trx, claim: Claim, { number, movers }: Half): Promise<void> {
  await sql`
    with shrunk as (
      update batch set size = size - ${movers.length}::integer, lease_until = null, not_before = null
      where ${ours(claim)}
      returning wave_id, channel, locale, tries, failing_since, code
    )
    insert into batch (wave_id, channel, number, locale, size, tries, failing_since, code)
    select wave_id, channel, ${number}::integer, locale, ${movers.length}::integer, tries, failing_since, code
    from shrunk
  `.execute(trx)
}

/** Of the parts that were accepted before, each half keeps its own members and their count on the ledger. */
async function shareAcceptedCalls(trx: Trx, claim: Claim, { number, movers }: Half): Promise<void> {
  const { waveId, channel } = claim
  await sql`
    with accepted as (
      select * from call where wave_id = ${waveId} and channel = ${channel} and batch = ${claim.number}
    ),
    member as (
      select part, subject_id, address, place, subject_id = any(${movers}::uuid[]) as moves
      from accepted, unnest(subject_ids, addresses) with ordinality as one (subject_id, address, place)
    ),
    share as (
      select part, moves, array_agg(subject_id order by place) as subject_ids,
        array_agg(address order by place) as addresses
      from member group by part, moves
    ),
    kept as (
      update call set subject_ids = share.subject_ids, addresses = share.addresses from share
      where not moves and call.wave_id = ${waveId} and call.channel = ${channel} and call.batch = ${claim.number}
        and call.part = share.part
    ),
    moved as (
      insert into call (wave_id, channel, batch, part, retry_key, subject_ids, addresses, state, tries,
        first_try_at, code, request_id)
      select wave_id, channel, ${number}::integer, part, retry_key, share.subject_ids, share.addresses, state, tries,
        first_try_at, code, request_id
      from accepted join share using (part) where moves
      returning cardinality(subject_ids) as pushes
    )
    update batch
    set pushes = pushes + (select coalesce(sum(moved.pushes), 0) from moved)
      * case batch.number when ${number} then 1 else -1 end
    where wave_id = ${waveId} and channel = ${channel} and batch.number in (${claim.number}, ${number})
  `.execute(trx)
}
