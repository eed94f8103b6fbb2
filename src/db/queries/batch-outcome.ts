import { sql } from 'kysely'
import type { Db, Trx } from '../connect.ts'
import type { CallState, DeliveryState } from '../tables.ts'
import { type Claim, inMs, ours } from './batch.ts'
import { thisCall } from './call.ts'

/** How the last call of a batch came out, the same for everybody who was still pending in it. */
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

/** One member of a batch, as a try left them. */
export type ToldMember = {
  subjectId: string
  address: string
  state: 'sent' | 'failed' | 'unknown'
  reason: string | null
}

/** How one try came out where each member has an outcome of their own. `told`: everybody for whom it settled anything. */
export type Telling = {
  part: number
  call: CallState
  told: ToldMember[]
  /** Members whom this call costs on the ledger: those who were accepted or stayed unclear. */
  paid: ToldMember[]
  /** Nobody is left: the batch is done. */
  done: boolean
}

/**
 * Writes the outcomes of members in one statement: each recipient's on their row, the sums on the batch, and on the call
 * only those whom it costs. False: the claim is no longer ours, and nothing was written.
 */
export async function tellMembers(
  db: Db | Trx,
  claim: Claim,
  { part, call, told, paid, done }: Telling,
): Promise<boolean> {
  const { waveId, channel, number } = claim
  const count = (state: ToldMember['state']) => told.filter((member) => member.state === state).length
  const { numAffectedRows } = await sql`
    with mine as materialized (select from batch where ${ours(claim)} for no key update),
    called as (
      update call
      set state = ${call}, unclear = false, tries = tries + 1,
        subject_ids = ${paid.map(({ subjectId }) => subjectId)}::uuid[],
        addresses = ${paid.map(({ address }) => address)}::text[]
      from mine where ${thisCall(claim, part)}
    ),
    told as (
      update delivery set state = member.state, reason = member.reason
      from mine, unnest(${told.map(({ subjectId }) => subjectId)}::uuid[], ${told.map(({ state }) => state)}::text[],
        ${told.map(({ reason }) => reason)}::text[]) as member (subject_id, state, reason)
      where wave_id = ${waveId} and channel = ${channel} and batch = ${number}
        and delivery.subject_id = member.subject_id and delivery.state = 'pending'
    )
    update batch
    set state = ${done ? 'done' : 'open'}, lease_until = case when ${done} then null else lease_until end,
      sent = sent + ${count('sent')}::integer, failed = failed + ${count('failed')}::integer,
      unknown = unknown + ${count('unknown')}::integer, pushes = pushes + ${paid.length}::integer
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

/** Why and for how long (ms) a batch, or some of its members, are put off. `tried`: it counts as a failed try. */
export type PutOff = { afterMs: number; code: string; tried: boolean }

/** Gives a claim back; the batch is free again later, and knows how often and since when it was put off. */
export async function putOffBatch(db: Db | Trx, claim: Claim, putOff: PutOff): Promise<void> {
  await sql`
    update batch set lease_until = null, ${failing(putOff)} where ${ours(claim)}
  `.execute(db)
}

/** What a put-off writes on a batch. */
export function failing({ afterMs, code, tried }: PutOff) {
  const count = sql`tries = tries + 1, failing_since = coalesce(failing_since, clock_timestamp()), code = ${code}`
  return sql`not_before = ${inMs(afterMs)}${tried ? sql`, ${count}` : sql``}`
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
