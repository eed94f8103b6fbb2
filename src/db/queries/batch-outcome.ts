import { sql } from 'kysely'
import type { Db, Trx } from '../connect.ts'
import type { CallState, DeliveryState } from '../tables.ts'
import { type Claim, ours } from './batch.ts'
import { thisCall } from './call.ts'

/** How the last call of a batch came out for everybody who was still pending in it. */
export type Ending = {
  part: number
  call: Exclude<CallState, 'open'>
  deliveries: Exclude<DeliveryState, 'pending' | 'skipped'>
  /** What this call costs on the ledger: its members when it was accepted or stayed unclear. */
  pushes: number
  code?: string
  requestId?: string
}

const counter = { sent: sql.ref('sent'), failed: sql.ref('failed'), unknown: sql.ref('unknown') }

/** Writes a batch's outcome: on its call, in one update on its rows, and as counts on the batch. False: not ours. */
export async function endBatch(db: Db | Trx, claim: Claim, ending: Ending): Promise<boolean> {
  const { waveId, channel, number } = claim
  const counted = counter[ending.deliveries]
  const { numAffectedRows } = await sql`
    with mine as materialized (select from batch where ${ours(claim)} for no key update),
    called as (
      update call set state = ${ending.call}, unclear = false, tries = tries + 1, code = ${ending.code ?? null},
        request_id = ${ending.requestId ?? null}
      from mine where ${thisCall(claim, ending.part)}
    ),
    told as (
      update delivery set state = ${ending.deliveries}, reason = ${ending.code ?? null}
      from mine
      where wave_id = ${waveId} and channel = ${channel} and batch = ${number} and delivery.state = 'pending'
      returning 1
    )
    update batch
    set state = 'done', lease_until = null, ${counted} = ${counted} + (select count(*) from told),
      pushes = pushes + ${ending.pushes}::integer
    from mine where ${ours(claim)}
  `.execute(db)
  return numAffectedRows === 1n
}

/** Ends a batch in which nobody is left to be told; where somebody is, it stays open. */
export async function endEmptyBatch(trx: Trx, claim: Claim): Promise<void> {
  const { waveId, channel, number } = claim
  await sql`
    update batch set state = 'done', lease_until = null
    where ${ours(claim)} and not exists (
      select from delivery
      where wave_id = ${waveId} and channel = ${channel} and batch = ${number} and state = 'pending'
    )
  `.execute(trx)
}

/** Locks the batch for several statements; false when the claim is no longer ours. */
export async function lockOurs(trx: Trx, claim: Claim): Promise<boolean> {
  const { rows } = await sql`select from batch where ${ours(claim)} for no key update`.execute(trx)
  return rows.length === 1
}

/** These members of an open batch are skipped, each for a reason; counted on the batch. Under `lockOurs`. */
export async function skipMembers(
  trx: Trx,
  claim: Claim,
  members: { subjectId: string; reason: string }[],
): Promise<void> {
  const { waveId, channel } = claim
  const reasons = members.map(({ reason }) => reason)
  await sql`
    update delivery set state = 'skipped', reason = member.reason
    from unnest(${members.map(({ subjectId }) => subjectId)}::uuid[], ${reasons}::text[]) as member (subject_id, reason)
    where wave_id = ${waveId} and channel = ${channel} and delivery.subject_id = member.subject_id
      and delivery.state = 'pending'
  `.execute(trx)
  await addSkipped(trx, claim, countBy(reasons))
}

/** Those members of a stored call whom the provider named fail; counted on the batch. Under `lockOurs`. */
export async function failMembers(
  trx: Trx,
  claim: Claim,
  { part, addresses, code }: { part: number; addresses: string[]; code: string },
): Promise<void> {
  const { waveId, channel } = claim
  await sql`
    with told as (
      update delivery set state = 'failed', reason = ${code}
      from call, unnest(subject_ids, addresses) as member (subject_id, address)
      where ${thisCall(claim, part)} and member.address = any(${addresses}::text[])
        and delivery.wave_id = ${waveId} and delivery.channel = ${channel}
        and delivery.subject_id = member.subject_id and delivery.state = 'pending'
      returning 1
    )
    update batch set failed = failed + (select count(*) from told) where ${ours(claim)}
  `.execute(trx)
}

async function addSkipped(trx: Trx, claim: Claim, counts: Record<string, number>): Promise<void> {
  await sql`
    update batch set skipped = (
      select jsonb_object_agg(reason, n) from (
        select key as reason, sum(value::integer) as n
        from (select * from jsonb_each_text(skipped) union all select * from jsonb_each_text(${JSON.stringify(counts)}::jsonb)) as each
        group by key
      ) as total
    )
    where ${ours(claim)}
  `.execute(trx)
}

function countBy(reasons: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}
