import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { SkipReason } from '../../../domain/audience.ts'
import type { Db, Trx } from '../../connect.ts'
import type { CallTable } from '../../tables.ts'
import { type EligibilityRules, eligibilityJoins, verdict } from '../audience/eligibility.ts'
import { type Claim, isClaimedBy } from './batch.ts'

export type StoredCall = Pick<
  Selectable<CallTable>,
  'part' | 'retry_key' | 'subject_ids' | 'addresses' | 'state' | 'unclear' | 'tries'
> & {
  /** Milliseconds since the first try under this key, by Postgres' clock. */
  ageMs: number
}

/** The calls that earlier claims of a batch have stored, by part. */
export function callsOf(db: Db, { waveId, channel, number }: Claim): Promise<StoredCall[]> {
  return db
    .selectFrom('call')
    .select(['part', 'retry_key', 'subject_ids', 'addresses', 'state', 'unclear', 'tries'])
    .select(sql<number>`(extract(epoch from clock_timestamp() - first_try_at) * 1000)::float8`.as('ageMs'))
    .where('wave_id', '=', waveId)
    .where('channel', '=', channel)
    .where('batch', '=', number)
    .orderBy('part')
    .execute()
}

export type StoreResult = {
  /** The claim still holds. */
  ours: boolean
  /**
   * Nothing is stored, because of what came while the batch was being claimed: this part has been tried, or may have
   * been, and what is known of that must be read first; or the channel rests.
   */
  notNow: boolean
  /** Members who may not be told any more; while there are any, nothing is stored. */
  fallen: number
  /** Whom the stored call goes to; null where nothing was stored. */
  addresses: string[] | null
  /** Who they are, in the same order; for mail alone, where each has an outcome of their own. */
  subjectIds?: string[] | null
}

/**
 * Reads once more who of a batch may be told, and stores the call to them before its first try; one statement, so that
 * no list of people passes through here but the addresses. The call stands as unclear until its outcome is written:
 * whoever finds it so cannot know whether the try was made, and repeats it under the same key with the same members. A
 * call all of whose tries were refused for certain is replaced.
 */
export async function storeCall(
  db: Db | Trx,
  claim: Claim,
  { part, retryKey, probesRest = false }: { part: number; retryKey: string; probesRest?: boolean },
  spec: EligibilityRules,
): Promise<StoreResult> {
  const { waveId, channel, number } = claim
  const named =
    channel === 'email'
      ? sql`, case when exists (select from stored) then to_json(ids) end as "subjectIds"`
      : sql``
  const { rows } = await sql<StoreResult>`
    with mine as materialized (select from batch where ${isClaimedBy(claim)} for no key update),
    standing as (select from call where ${isCall(claim, part)} and (state <> 'open' or unclear)),
    resting as materialized (
      select from channel_rest where channel = ${channel} and until > clock_timestamp() and not ${probesRest}::boolean
    ),
    member as (${recheckQuery(waveId, channel, number, spec)}),
    members as materialized (
      select array_agg("subjectId") as ids, array_agg(address) as addresses, count(reason)::int as fallen from member
    ),
    stored as (
      insert into call as before
        (wave_id, channel, batch, part, retry_key, subject_ids, addresses, unclear, first_try_at)
      select ${waveId}::uuid, ${channel}, ${number}::integer, ${part}::smallint, ${retryKey}::uuid,
        ids, addresses, true, clock_timestamp()
      from mine, members where fallen = 0 and ids is not null and not exists (select from resting)
      on conflict (wave_id, channel, batch, part) do update
      set retry_key = excluded.retry_key, subject_ids = excluded.subject_ids, addresses = excluded.addresses,
        unclear = true, first_try_at = excluded.first_try_at
      where before.state = 'open' and not before.unclear
      returning 1
    )
    select exists (select from mine) as ours, fallen,
      exists (select from standing) or exists (select from resting) as "notNow",
      case when exists (select from stored) then to_json(addresses) end as addresses${named}
    from members
  `.execute(db)
  return rows[0]!
}

/** One part of several was accepted: its members count on the ledger. False when the claim is no longer ours. */
export async function acceptCall(
  db: Db,
  claim: Claim,
  call: { part: number; recipients: number; requestId?: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with mine as materialized (select from batch where ${isClaimedBy(claim)} for no key update),
    accepted as (
      update call set state = 'accepted', unclear = false, tries = tries + 1, request_id = ${call.requestId ?? null}
      from mine where ${isCall(claim, call.part)}
    )
    update batch set pushes = pushes + ${call.recipients}::integer, tries = 0, failing_since = null, code = null
    from mine where ${isClaimedBy(claim)}
  `.execute(db)
  return numAffectedRows === 1n
}

/** A try of which nobody knows whether it was accepted: key and members stay as they are. */
export async function markCallUnclear(
  trx: Trx,
  claim: Claim,
  call: { part: number; code: string },
): Promise<void> {
  await sql`
    update call set tries = tries + 1, unclear = true, code = ${call.code} where ${isCall(claim, call.part)}
  `.execute(trx)
}

/** A call that was never tried, or whose tries were refused for certain, is as if it had not been. */
export async function deleteCall(trx: Trx, claim: Claim, part: number): Promise<void> {
  await sql`delete from call where ${isCall(claim, part)}`.execute(trx)
}

/** Who the members of a stored call are, in its order. */
export async function membersOf(trx: Trx, claim: Claim, part: number): Promise<string[]> {
  const { rows } = await sql<{ subject_ids: string[] }>`
    select subject_ids from call where ${isCall(claim, part)}
  `.execute(trx)
  return rows[0]?.subject_ids ?? []
}

/** The call of a batch with this part number. */
export function isCall({ waveId, channel, number }: Omit<Claim, 'claimId'>, part: number) {
  return sql<boolean>`
    call.wave_id = ${waveId} and call.channel = ${channel} and call.batch = ${number} and call.part = ${part}`
}

export type RecheckResult = {
  open: { subjectId: string; address: string }[]
  fallen: { subjectId: string; reason: SkipReason }[]
}

/**
 * Reads consent, preferences, blocks and addresses of a batch's pending members again, right before a call's first
 * try, by the same verdict that chose them (but for the frequency cap). Somebody who is gone has no consent and no
 * address any more.
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
    fallen: rows.flatMap(({ subjectId, reason }) => (reason ? [{ subjectId, reason }] : [])),
  }
}

type MemberRow = { subjectId: string; address: string | null; reason: SkipReason | null }

/** Materialized: for a few hundred members Postgres would otherwise start a parallel worker, once per batch. */
export function recheckQuery(
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
