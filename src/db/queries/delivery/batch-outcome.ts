import { sql } from 'kysely'
import { doubtedCode } from '../../../domain/message/outcome.ts'
import type { MemberOutcome } from '../../../domain/message/settlement.ts'
import type { Db, Trx } from '../../connect.ts'
import { msFromNow } from '../../interval.ts'
import type { CallState } from '../../tables.ts'
import { type Claim, isClaimedBy } from './batch.ts'
import { nextBatchNumber } from './batch-numbers.ts'
import { isCall } from './call.ts'

/** The outcome of the last call of a batch, the same for all its pending members. */
export type UniformOutcome = {
  callNumber: number
  call: Exclude<CallState, 'open'>
  deliveries: MemberOutcome['state']
  /** What this call commits on the ledger: its members if it was accepted or stayed unclear. */
  pushes: number
  code?: string
  requestId?: string
}

const counter = { sent: sql.ref('sent'), failed: sql.ref('failed'), unknown: sql.ref('unknown') }

/** Writes a batch's outcome to its call, deliveries and counts. Returns false if the claim no longer holds. */
export async function endBatch(db: Db | Trx, claim: Claim, ending: UniformOutcome): Promise<boolean> {
  const { waveId, channel, number } = claim
  const counted = counter[ending.deliveries]
  const { numAffectedRows } = await sql`
    with mine as materialized (select from batch where ${isClaimedBy(claim)} for no key update),
    called as (
      update call set state = ${ending.call}, unclear = false, tries = tries + 1, code = ${ending.code ?? null},
        request_id = ${ending.requestId ?? null}
      from mine where ${isCall(claim, ending.callNumber)}
    ),
    outcome as (
      update delivery set state = ${ending.deliveries}, reason = ${ending.code ?? null}
      from mine
      where wave_id = ${waveId} and channel = ${channel} and batch = ${number} and delivery.state = 'pending'
      returning 1
    )
    update batch
    set state = 'done', lease_until = null, ${counted} = ${counted} + (select count(*) from outcome),
      pushes = pushes + ${ending.pushes}::integer
    from mine where ${isClaimedBy(claim)}
  `.execute(db)
  return numAffectedRows === 1n
}

/** One member of a batch, with the outcome of a try. */
export type SettledMember = {
  subjectId: string
  address: string
  state: MemberOutcome['state']
  reason: string | null
}

/** The result of one try with an outcome per member. `settled`: the members that got one. */
type MemberOutcomes = {
  callNumber: number
  call: CallState
  settled: SettledMember[]
  /** Members that this call commits on the ledger: those accepted or unclear. */
  paid: SettledMember[]
  /** No member is pending: the batch is done. */
  done: boolean
}

/**
 * Writes the outcomes of members in one statement: each to its delivery, the sums to the batch, and to the call only
 * the members it commits. Returns false, and writes nothing, if the claim no longer holds.
 */
export async function settleMembers(
  db: Db | Trx,
  claim: Claim,
  { callNumber, call, settled, paid, done }: MemberOutcomes,
): Promise<boolean> {
  const { waveId, channel, number } = claim
  const count = (state: SettledMember['state']) => settled.filter((member) => member.state === state).length
  const { numAffectedRows } = await sql`
    with mine as materialized (select from batch where ${isClaimedBy(claim)} for no key update),
    called as (
      update call
      set state = ${call}, unclear = false, tries = tries + 1,
        subject_ids = ${paid.map(({ subjectId }) => subjectId)}::uuid[],
        addresses = ${paid.map(({ address }) => address)}::text[]
      from mine where ${isCall(claim, callNumber)}
    ),
    outcome as (
      update delivery set state = member.state, reason = member.reason
      from mine, unnest(${settled.map(({ subjectId }) => subjectId)}::uuid[], ${settled.map(({ state }) => state)}::text[],
        ${settled.map(({ reason }) => reason)}::text[]) as member (subject_id, state, reason)
      where wave_id = ${waveId} and channel = ${channel} and batch = ${number}
        and delivery.subject_id = member.subject_id and delivery.state = 'pending'
    )
    update batch
    set state = ${done ? 'done' : 'open'}, lease_until = case when ${done} then null else lease_until end,
      sent = sent + ${count('sent')}::integer, failed = failed + ${count('failed')}::integer,
      unknown = unknown + ${count('unknown')}::integer, pushes = pushes + ${paid.length}::integer
    from mine where ${isClaimedBy(claim)}
  `.execute(db)
  return numAffectedRows === 1n
}

/** Ends a batch without pending members; otherwise it stays open. */
export async function endEmptyBatch(trx: Trx, claim: Claim): Promise<void> {
  const { waveId, channel, number } = claim
  await sql`
    update batch set state = 'done', lease_until = null
    where ${isClaimedBy(claim)} and not exists (
      select from delivery
      where wave_id = ${waveId} and channel = ${channel} and batch = ${number} and state = 'pending'
    )
  `.execute(trx)
}

/** Locks the batch for several statements. Returns false if the claim no longer holds. */
export async function lockClaimed(trx: Trx, claim: Claim): Promise<boolean> {
  const { rows } = await sql`select from batch where ${isClaimedBy(claim)} for no key update`.execute(trx)
  return rows.length === 1
}

/** Skips members of an open batch, each for a reason, and counts them on the batch. Requires `lockClaimed`. */
export async function skipMembers(
  trx: Trx,
  claim: Claim,
  members: { subjectId: string; reason: string }[],
): Promise<void> {
  const { waveId, channel, number } = claim
  const reasons = members.map(({ reason }) => reason)
  await sql`
    update delivery set state = 'skipped', reason = member.reason
    from unnest(${members.map(({ subjectId }) => subjectId)}::uuid[], ${reasons}::text[]) as member (subject_id, reason)
    where wave_id = ${waveId} and channel = ${channel} and batch = ${number}
      and delivery.subject_id = member.subject_id and delivery.state = 'pending'
  `.execute(trx)
  await addSkipped(trx, claim, countBy(reasons))
}

/** Why and for how long (ms) a batch, or some of its members, are deferred. `isTry`: counts as a failed try. */
type Deferral = { afterMs: number; code: string; isTry: boolean }

/** Releases a claim; the batch is free again later, and counts its deferrals. */
export async function deferBatch(db: Db | Trx, claim: Claim, deferral: Deferral): Promise<void> {
  await sql`
    update batch set lease_until = null, ${deferralColumns(deferral)} where ${isClaimedBy(claim)}
  `.execute(db)
}

/** The columns that a deferral sets on a batch. */
function deferralColumns({ afterMs, code, isTry }: Deferral) {
  // The time for which the server was doubted is not the recipients' own.
  const since = sql`case when code = ${doubtedCode} and ${code} <> ${doubtedCode} then clock_timestamp()
    else coalesce(failing_since, clock_timestamp()) end`
  const count = sql`tries = tries + 1, failing_since = ${since}, code = ${code}`
  return sql`not_before = ${msFromNow(afterMs)}${isTry ? sql`, ${count}` : sql``}`
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
    where ${isClaimedBy(claim)}
  `.execute(trx)
}

function countBy(reasons: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}

/**
 * Moves these pending members of a batch to a new batch, which is free at once or deferred and inherits the history of
 * deferrals. Only for batches without accepted calls: those would stay with the old batch. Requires the wave's row
 * lock, which keeps batch numbers unique, and `lockClaimed`.
 */
export async function splitBatch(
  trx: Trx,
  claim: Claim,
  subjectIds: string[],
  deferral: Deferral | null,
): Promise<void> {
  const { waveId, channel, number } = claim
  const { rows } = await sql<{ number: number }>`
    insert into batch (wave_id, channel, number, locale, size, repeats, tries, failing_since, code)
    select wave_id, channel, ${nextBatchNumber(waveId, channel)}, locale, ${subjectIds.length}::integer, repeats, tries, failing_since,
      code
    from batch where ${isClaimedBy(claim)}
    returning number
  `.execute(trx)
  const newNumber = rows[0]!.number
  await sql`
    update delivery set batch = ${newNumber}
    where wave_id = ${waveId} and channel = ${channel} and batch = ${number} and state = 'pending'
      and subject_id = any(${subjectIds}::uuid[])
  `.execute(trx)
  await sql`update batch set size = size - ${subjectIds.length}::integer where ${isClaimedBy(claim)}`.execute(
    trx,
  )
  if (!deferral) return
  await sql`
    update batch set ${deferralColumns(deferral)} where wave_id = ${waveId} and channel = ${channel} and number = ${newNumber}
  `.execute(trx)
}

/**
 * Halves a batch: moves the second half of its pending members to a new batch, makes both free at once, and deletes the
 * call that settled nothing, so that each half gets a new retry key. The moved members keep their
 * shares of accepted calls and pushes. Requires the wave's row lock, which keeps batch numbers unique, and
 * `lockClaimed`.
 */
export async function halveBatch(trx: Trx, claim: Claim, callNumber: number): Promise<void> {
  const { waveId, channel, number } = claim
  const { rows } = await sql<Half>`
    with pending as (
      select subject_id, row_number() over (order by subject_id) as ordinal, count(*) over () as size
      from delivery
      where wave_id = ${waveId} and channel = ${channel} and batch = ${number} and state = 'pending'
    )
    select ${nextBatchNumber(waveId, channel)} as number, array_agg(subject_id) as movers
    from pending where ordinal > size / 2
  `.execute(trx)
  const half = rows[0]!
  await sql`
    delete from call
    where wave_id = ${waveId} and channel = ${channel} and batch = ${number} and call_number >= ${callNumber}
  `.execute(trx)
  await insertHalf(trx, claim, half)
  await sql`
    update delivery set batch = ${half.number}
    where wave_id = ${waveId} and channel = ${channel} and batch = ${number}
      and subject_id = any(${half.movers}::uuid[])
  `.execute(trx)
  await shareAcceptedCalls(trx, claim, half)
}

type Half = { number: number; movers: string[] }

async function insertHalf(trx: Trx, claim: Claim, { number, movers }: Half): Promise<void> {
  await sql`
    with shrunk as (
      update batch set size = size - ${movers.length}::integer, lease_until = null, not_before = null
      where ${isClaimedBy(claim)}
      returning wave_id, channel, locale, tries, failing_since, code
    )
    insert into batch (wave_id, channel, number, locale, size, tries, failing_since, code)
    select wave_id, channel, ${number}::integer, locale, ${movers.length}::integer, tries, failing_since, code
    from shrunk
  `.execute(trx)
}

/** Divides the accepted calls between the halves: each keeps its own members and their pushes. */
async function shareAcceptedCalls(trx: Trx, claim: Claim, { number, movers }: Half): Promise<void> {
  const { waveId, channel } = claim
  await sql`
    with accepted as (
      select * from call where wave_id = ${waveId} and channel = ${channel} and batch = ${claim.number}
    ),
    member as (
      select call_number, subject_id, address, ordinal, subject_id = any(${movers}::uuid[]) as moves
      from accepted, unnest(subject_ids, addresses) with ordinality as one (subject_id, address, ordinal)
    ),
    share as (
      select call_number, moves, array_agg(subject_id order by ordinal) as subject_ids,
        array_agg(address order by ordinal) as addresses
      from member group by call_number, moves
    ),
    kept as (
      update call set subject_ids = share.subject_ids, addresses = share.addresses from share
      where not moves and call.wave_id = ${waveId} and call.channel = ${channel} and call.batch = ${claim.number}
        and call.call_number = share.call_number
    ),
    moved as (
      insert into call (wave_id, channel, batch, call_number, retry_key, subject_ids, addresses, state, tries,
        first_try_at, code, request_id)
      select wave_id, channel, ${number}::integer, call_number, retry_key, share.subject_ids, share.addresses, state, tries,
        first_try_at, code, request_id
      from accepted join share using (call_number) where moves
      returning cardinality(subject_ids) as pushes
    )
    update batch
    set pushes = pushes + (select coalesce(sum(moved.pushes), 0) from moved)
      * case batch.number when ${number} then 1 else -1 end
    where wave_id = ${waveId} and channel = ${channel} and batch.number in (${claim.number}, ${number})
  `.execute(trx)
}
