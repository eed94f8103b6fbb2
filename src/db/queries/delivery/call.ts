import { type RawBuilder, type Selectable, sql } from 'kysely'
import { channelFacts } from '../../../channels/facts/by-channel.ts'
import type { Channel } from '../../../contract/enums.ts'
import type { SkipReason } from '../../../domain/audience/audience.ts'
import type { Db, Trx } from '../../connect.ts'
import type { CallTable } from '../../tables.ts'
import { type EligibilityRules, eligibilityJoins, verdict } from '../audience/eligibility.ts'
import { type Claim, isClaimedBy } from './batch.ts'
import { isDoubted } from './mail-server.ts'

export type StoredCall = Pick<
  Selectable<CallTable>,
  'call_number' | 'retry_key' | 'subject_ids' | 'addresses' | 'state' | 'unclear' | 'tries'
> & {
  /** Milliseconds since the first try under this key, by Postgres' clock. */
  ageMs: number
}

/** The stored calls of a batch, by call number. */
export function callsOf(db: Db, { waveId, channel, number }: Claim): Promise<StoredCall[]> {
  return db
    .selectFrom('call')
    .select(['call_number', 'retry_key', 'subject_ids', 'addresses', 'state', 'unclear', 'tries'])
    .select(sql<number>`(extract(epoch from clock_timestamp() - first_try_at) * 1000)::float8`.as('ageMs'))
    .where('wave_id', '=', waveId)
    .where('channel', '=', channel)
    .where('batch', '=', number)
    .orderBy('call_number')
    .execute()
}

type StoreResult = {
  /** The claim still holds. */
  claimHeld: boolean
  /**
   * Nothing is stored because of a change since the claim: this call was or may have been tried, so the stored call
   * must be read first; or the channel rests, or its mail server is doubted.
   */
  mustWait: boolean
  /** Number of members who are no longer eligible; while there are any, nothing is stored. */
  ineligible: number
  /** The addresses of the stored call; null if nothing was stored. */
  addresses: string[] | null
  /** The members, in the same order; only on a channel where each member has its own outcome. */
  subjectIds?: string[] | null
}

/**
 * A call to store. `probesRest`: although its channel rests. `server`: only while this mail server is believed; null:
 * in any case.
 */
type NewCall = { callNumber: number; retryKey: string; probesRest?: boolean; server?: string | null }

/**
 * Rechecks the eligibility of a batch's pending members and stores the call to them before its first try; one
 * statement, so that only the addresses leave Postgres. The call is unclear until its outcome is written: a worker that
 * finds it so cannot know whether the try was made, and repeats it under the same key with the same members. A call
 * whose tries were all definitely refused is replaced.
 */
export async function storeCall(
  db: Db | Trx,
  claim: Claim,
  { callNumber, retryKey, probesRest = false, server = null }: NewCall,
  spec: EligibilityRules,
): Promise<StoreResult> {
  const { waveId, channel, number } = claim
  const named =
    channelFacts[channel].outcomePer === 'recipient'
      ? sql`, case when exists (select from stored) then to_json(ids) end as "subjectIds"`
      : sql``
  const { rows } = await sql<StoreResult>`
    with mine as materialized (select from batch where ${isClaimedBy(claim)} for no key update),
    unsettled as (select from call where ${isCall(claim, callNumber)} and (state <> 'open' or unclear)),
    resting as materialized (
      select from channel_rest where channel = ${channel} and until > clock_timestamp() and not ${probesRest}::boolean${
        server === null
          ? sql``
          : sql`
      union all
      select from mail_server where host = ${server} and ${isDoubted}`
      }
    ),
    member as (${recheckQuery(waveId, channel, number, spec)}),
    members as materialized (
      select array_agg("subjectId") as ids, array_agg(address) as addresses, count(reason)::int as ineligible from member
    ),
    stored as (
      insert into call as before
        (wave_id, channel, batch, call_number, retry_key, subject_ids, addresses, unclear, first_try_at)
      select ${waveId}::uuid, ${channel}, ${number}::integer, ${callNumber}::smallint, ${retryKey}::uuid,
        ids, addresses, true, clock_timestamp()
      from mine, members where ineligible = 0 and ids is not null and not exists (select from resting)
      on conflict (wave_id, channel, batch, call_number) do update
      set retry_key = excluded.retry_key, subject_ids = excluded.subject_ids, addresses = excluded.addresses,
        unclear = true, first_try_at = excluded.first_try_at
      where before.state = 'open' and not before.unclear
      returning 1
    )
    select exists (select from mine) as "claimHeld", ineligible,
      exists (select from unsettled) or exists (select from resting) as "mustWait",
      case when exists (select from stored) then to_json(addresses) end as addresses${named}
    from members
  `.execute(db)
  return rows[0]!
}

/**
 * Records that one of several calls was accepted, and counts its pushes. Returns false if the claim no longer holds.
 */
export async function acceptCall(
  db: Db,
  claim: Claim,
  call: { callNumber: number; recipients: number; requestId?: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with mine as materialized (select from batch where ${isClaimedBy(claim)} for no key update),
    accepted as (
      update call set state = 'accepted', unclear = false, tries = tries + 1, request_id = ${call.requestId ?? null}
      from mine where ${isCall(claim, call.callNumber)}
    )
    update batch set pushes = pushes + ${call.recipients}::integer, tries = 0, failing_since = null, code = null
    from mine where ${isClaimedBy(claim)}
  `.execute(db)
  return numAffectedRows === 1n
}

/** Records a try that may have been accepted: key and members are kept. */
export async function markCallUnclear(
  trx: Trx,
  claim: Claim,
  call: { callNumber: number; code: string },
): Promise<void> {
  await sql`
    update call set tries = tries + 1, unclear = true, code = ${call.code} where ${isCall(claim, call.callNumber)}
  `.execute(trx)
}

/** Deletes a call that was never tried, or whose tries were all definitely refused. */
export async function deleteCall(trx: Trx, claim: Claim, callNumber: number): Promise<void> {
  await sql`delete from call where ${isCall(claim, callNumber)}`.execute(trx)
}

/** The members of a stored call, in its order. */
export async function membersOf(trx: Trx, claim: Claim, callNumber: number): Promise<string[]> {
  const { rows } = await sql<{ subject_ids: string[] }>`
    select subject_ids from call where ${isCall(claim, callNumber)}
  `.execute(trx)
  return rows[0]?.subject_ids ?? []
}

/** The call of a batch with this call number. */
export function isCall({ waveId, channel, number }: Omit<Claim, 'claimId'>, callNumber: number) {
  return sql<boolean>`
    call.wave_id = ${waveId} and call.channel = ${channel} and call.batch = ${number} and call.call_number = ${callNumber}`
}

type RecheckResult = {
  open: { subjectId: string; address: string }[]
  ineligible: { subjectId: string; reason: SkipReason }[]
}

/**
 * Rereads consent, preferences, blocks and addresses of a batch's pending members right before a call's first try, with
 * the verdict that selected them (except for the frequency cap). An erased subject has neither consent nor address.
 */
export async function recheck(
  db: Db | Trx,
  waveId: string,
  channel: Channel,
  batch: number,
  spec: EligibilityRules,
): Promise<RecheckResult> {
  const { rows } = await recheckQuery(waveId, channel, batch, spec).execute(db)
  return {
    open: rows.flatMap(({ subjectId, address, reason }) =>
      reason ? [] : [{ subjectId, address: address! }],
    ),
    ineligible: rows.flatMap(({ subjectId, reason }) => (reason ? [{ subjectId, reason }] : [])),
  }
}

type MemberRow = { subjectId: string; address: string | null; reason: SkipReason | null }

/** Materialized: otherwise Postgres starts a parallel worker for a few hundred members, once per batch. */
function recheckQuery(
  waveId: string,
  channel: Channel,
  batch: number,
  rules: EligibilityRules,
): RawBuilder<MemberRow> {
  const spec = { ...rules, frequencyCap: null }
  return sql`
    with person as materialized (
      select subject_id as id from delivery
      where wave_id = ${waveId} and channel = ${channel} and batch = ${batch} and state = 'pending'
    )
    select person.id as "subjectId", ${sql.ref(`${channel}_address`)}.address, ${verdict(spec, channel)} as reason
    from person
      ${eligibilityJoins(spec, [channel])}
    order by person.id`
}
