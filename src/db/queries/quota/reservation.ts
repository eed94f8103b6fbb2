import { type Selectable, sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Month } from '../../../domain/lib/month.ts'
import { type Account, type Halves, noHalves } from '../../../domain/message/quota.ts'
import { anyOf } from '../../any-of.ts'
import type { Trx } from '../../connect.ts'
import type { QuotaReservationTable } from '../../tables.ts'

/** An account; `scope` is a unit's id, or `pool` for the allotment that all units share. */
export type AccountKey = { scope: string; channel: Channel; month: Month }

export const poolScope = 'pool'

/**
 * Locks an account until the transaction ends. Creates the row if it is missing, with the scope's default limit;
 * without a default the limit is 0 (the pool then covers all of a unit's pushes). Lock order: channel, then month, then
 * the unit's account before the pool's.
 */
export async function lockAccount(trx: Trx, key: AccountKey): Promise<Account> {
  return (await findLockedAccount(trx, key)) ?? (await makeAndLock(trx, key))
}

function findLockedAccount(trx: Trx, { scope, channel, month }: AccountKey): Promise<Account | undefined> {
  return trx
    .selectFrom('quota_ledger')
    .select(['monthly_limit as limit', 'reserved', 'committed'])
    .where('scope', '=', scope)
    .where('channel', '=', channel)
    .where('month', '=', month)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

async function makeAndLock(trx: Trx, key: AccountKey): Promise<Account> {
  await sql`
    insert into quota_ledger (scope, channel, month, monthly_limit)
    values (${key.scope}, ${key.channel}, ${key.month}, coalesce((
      select monthly_limit from quota_default where scope = ${key.scope} and channel = ${key.channel}
    ), 0))
    on conflict do nothing
  `.execute(trx)
  return (await findLockedAccount(trx, key))!
}

/** A wave's reservation in one channel and month. */
export type ReservationKey = { waveId: string; unitId: string; channel: Channel; month: Month }

export type Reservation = ReservationKey & { held: Halves }

/** What a wave holds in a channel and month, in pushes. */
export type Reserved = { channel: Channel; month: Month; pushes: number }

/** Everything that a wave holds, as a column; without locks. `wave`: the table's name in the query. */
export function heldBy(wave: string) {
  return sql<Reserved[]>`coalesce((
    select json_agg(json_build_object('channel', channel, 'month', month, 'pushes', unit_reserved + pool_reserved))
    from quota_reservation where wave_id = ${sql.ref(`${wave}.id`)} and unit_reserved + pool_reserved > 0), '[]')`
}

/**
 * Creates the reservation if it is missing, and locks it until the transaction ends. Lock order: before any account.
 */
export async function openReservation(trx: Trx, key: ReservationKey): Promise<Reservation> {
  const row = await trx
    .insertInto('quota_reservation')
    .values({ wave_id: key.waveId, unit_id: key.unitId, channel: key.channel, month: key.month })
    .onConflict((conflict) =>
      conflict.columns(['wave_id', 'channel', 'month']).doUpdateSet({ unit_id: key.unitId }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return reservationOf(row)
}

/** Locks the reservations that these waves still hold, in the lock order of accounts; in all channels, or one. */
export async function lockReservations(
  trx: Trx,
  waveIds: readonly string[],
  channel?: Channel,
): Promise<Reservation[]> {
  const rows = await trx
    .selectFrom('quota_reservation')
    .selectAll()
    .where('wave_id', '=', anyOf(waveIds))
    .where((eb) => eb.or([eb('unit_reserved', '>', 0), eb('pool_reserved', '>', 0)]))
    .$if(channel !== undefined, (query) => query.where('channel', '=', channel!))
    .orderBy('channel')
    .orderBy('month')
    .orderBy('wave_id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(reservationOf)
}

function reservationOf(row: Selectable<QuotaReservationTable>): Reservation {
  const held = { unit: row.unit_reserved, pool: row.pool_reserved }
  return { waveId: row.wave_id, unitId: row.unit_id, channel: row.channel, month: row.month, held }
}

/** Locks the accounts that a change of these halves affects. */
export async function lockAccounts(trx: Trx, key: ReservationKey, { unit, pool }: Halves): Promise<void> {
  const { unitId, channel, month } = key
  if (unit !== 0) await lockAccount(trx, { scope: unitId, channel, month })
  if (pool !== 0) await lockAccount(trx, { scope: poolScope, channel, month })
}

/**
 * Opens the reservation and takes all pushes from the unit's account if it has enough, in one statement: the reservation
 * is written, and so locked, as if it had. Returns false if it has not enough or the month has no row yet; the
 * reservation is open then, and unchanged.
 */
export async function openWithUnit(
  trx: Trx,
  { waveId, unitId, channel, month }: ReservationKey,
  pushes: number,
): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    with reservation as (
      insert into quota_reservation as r (wave_id, unit_id, channel, month, unit_reserved)
      values (${waveId}, ${unitId}, ${channel}, ${month}, ${pushes})
      on conflict (wave_id, channel, month) do update set unit_reserved = r.unit_reserved + excluded.unit_reserved
      returning wave_id
    ), account as (${takenFromUnit({ unitId, channel, month }, pushes, sql`exists (select from reservation) and `)}
    )
    select exists (select from account) as taken`.execute(trx)
  if (rows[0]!.taken) return true
  await trx
    .updateTable('quota_reservation')
    .set(({ eb }) => ({ unit_reserved: eb('unit_reserved', '-', pushes) }))
    .where('wave_id', '=', waveId)
    .where('channel', '=', channel)
    .where('month', '=', month)
    .execute()
  return false
}

/**
 * Takes all pushes from the unit's account if it has enough: in one statement, because all messages of a unit contend
 * for this row. Returns false, and changes nothing, if it has not enough or the month has no row yet. Requires the
 * reservation's lock.
 */
export async function takeFromUnit(
  trx: Trx,
  { waveId, unitId, channel, month }: ReservationKey,
  pushes: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with account as (${takenFromUnit({ unitId, channel, month }, pushes)}
    )
    update quota_reservation set unit_reserved = unit_reserved + ${pushes}
    where wave_id = ${waveId} and channel = ${channel} and month = ${month} and exists (select from account)
  `.execute(trx)
  return numAffectedRows === 1n
}

/**
 * Takes pushes from the unit's account, without a row if it has not enough; `once`: a condition that goes before, with
 * its `and`.
 */
function takenFromUnit(
  { unitId, channel, month }: Omit<ReservationKey, 'waveId'>,
  pushes: number,
  once = sql``,
) {
  return sql`
      update quota_ledger set reserved = reserved + ${pushes}
      where ${once}scope = ${unitId} and channel = ${channel} and month = ${month}
        and monthly_limit - reserved - committed >= ${pushes}
      returning scope`
}

/**
 * Ends a reservation of which the unit's account holds all, in one statement: `committed` pushes were spent, the others are
 * not needed. Returns false, and changes nothing, where it holds fewer, or these waves hold anything besides.
 */
export async function closeReservation(
  trx: Trx,
  { waveId, channel, month, committed }: Omit<ReservationKey, 'unitId'> & { committed: number },
  waveIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    with held as materialized (
      select * from quota_reservation
      where wave_id = ${anyOf(waveIds)} and (unit_reserved > 0 or pool_reserved > 0)
      for no key update
    ), reservation as (
      update quota_reservation as r
      set unit_reserved = 0, unit_committed = r.unit_committed + ${committed}
      from held
      where r.wave_id = held.wave_id and r.channel = held.channel and r.month = held.month
        and r.wave_id = ${waveId} and r.channel = ${channel} and r.month = ${month}
        and held.unit_reserved >= ${committed} and held.pool_reserved = 0 and (select count(*) from held) = 1
      returning held.unit_id::text as scope, held.unit_reserved as reserved
    )
    update quota_ledger as account
    set reserved = account.reserved - reservation.reserved, committed = account.committed + ${committed}
    from reservation
    where account.scope = reservation.scope and account.channel = ${channel} and account.month = ${month}
    returning true`.execute(trx)
  return rows.length > 0
}

/**
 * Applies a change to a reservation and to its accounts in one statement, so that the ledger always equals the sums of
 * its reservations. Requires the locks of all of them.
 */
export async function changeReservation(
  trx: Trx,
  { waveId, unitId, channel, month }: ReservationKey,
  { reserved = noHalves, committed = noHalves }: { reserved?: Halves; committed?: Halves },
): Promise<void> {
  const scopes = [
    ...(reserved.unit || committed.unit ? [unitId] : []),
    ...(reserved.pool || committed.pool ? [poolScope] : []),
  ]
  await sql`
    with reservation as (
      update quota_reservation
      set unit_reserved = unit_reserved + ${reserved.unit}, pool_reserved = pool_reserved + ${reserved.pool},
        unit_committed = unit_committed + ${committed.unit}, pool_committed = pool_committed + ${committed.pool}
      where wave_id = ${waveId} and channel = ${channel} and month = ${month}
    )
    update quota_ledger
    set reserved = reserved
        + case scope when ${poolScope} then ${reserved.pool}::integer else ${reserved.unit} end,
      committed = committed
        + case scope when ${poolScope} then ${committed.pool}::integer else ${committed.unit} end
    where scope = any(${scopes}) and channel = ${channel} and month = ${month}
  `.execute(trx)
}
