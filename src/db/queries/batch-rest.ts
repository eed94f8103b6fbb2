import { sql } from 'kysely'
import type { Trx } from '../connect.ts'
import { type Claim, ours } from './batch.ts'

/**
 * Whoever is still pending in a mail batch moves to a batch of their own, free when this one would have been, and this
 * one is done: its counts need not wait, for hours maybe, until the last mailbox is open to us. How often and since when
 * they were tried goes along. After the try's outcome is written; the caller holds the wave's row lock, so that no two
 * take the same number, and `lockOurs`.
 */
export async function leaveRest(trx: Trx, claim: Claim): Promise<void> {
  const { waveId, channel, number } = claim
  const { rows } = await sql<{ number: number }>`
    with pending as (
      select count(*)::int as size from delivery
      where wave_id = ${waveId} and channel = ${channel} and batch = ${number} and state = 'pending'
    )
    insert into batch (wave_id, channel, number, locale, size, repeats, not_before)
    select wave_id, channel, (select max(number) + 1 from batch where wave_id = ${waveId} and channel = ${channel}),
      locale, pending.size, repeats, not_before
    from batch, pending where ${ours(claim)}
    returning number
  `.execute(trx)
  const rest = rows[0]!.number
  await sql`
    with moved as (
      update delivery set batch = ${rest}
      where wave_id = ${waveId} and channel = ${channel} and batch = ${number} and state = 'pending'
      returning 1
    ),
    tried as (
      insert into call (wave_id, channel, batch, part, retry_key, subject_ids, addresses, state, tries, first_try_at)
      select wave_id, channel, ${rest}::integer, 0, uuidv7(), '{}', '{}', 'refused', sum(tries),
        min(first_try_at) filter (where state <> 'open')
      from call where wave_id = ${waveId} and channel = ${channel} and batch = ${number}
      group by wave_id, channel
    )
    update batch set state = 'done', not_before = null, size = size - (select count(*) from moved)
    where ${ours(claim)}
  `.execute(trx)
}
