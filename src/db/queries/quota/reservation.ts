import { type Selectable, sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Month } from '../../../domain/month.ts'
import { type Account, type Halves, noHalves } from '../../../domain/quota.ts'
import { anyOf } from '../../any-of.ts'
import type { Trx } from '../../connect.ts'
import type { QuotaReservationTable } from '../../tables.ts'

/** Whose account: a unit's id, or `pool` for what all units share. */
export type AccountKey = { scope: string; channel: Channel; month: Month }

export const poolScope = 'pool'

/**
 * Locks an account until the transaction ends. The row is made when it is first touched, with the scope's
 * default as its limit; a scope without a default may use nothing (the pool then covers all of a unit).
 * Whoever locks several accounts locks them in one order: channel, then month, then the unit's before the
 * pool's.
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

/** What one wave holds on the ledger in one channel and month. */
export type ReservationKey = { waveId: string; unitId: string; channel: Channel; month: Month }

export type Reservation = ReservationKey & { held: Halves }

/** Makes the reservation where there is none, and locks it until the transaction ends; before any account. */
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

/** Locks what these waves still hold, in the order of the accounts; all channels, or one. */
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

/** Locks the accounts that a change of these halves touches: the pool's only where it takes part. */
export async function lockAccounts(trx: Trx, key: ReservationKey, { unit, pool }: Halves): Promise<void> {
  const { unitId, channel, month } = key
  if (unit !== 0) await lockAccount(trx, { scope: unitId, channel, month })
  if (pool !== 0) await lockAccount(trx, { scope: poolScope, channel, month })
}

/**
 * Takes pushes from the unit's account alone, where it has as many: in one statement, for all messages of a unit meet at
 * this row. Answers whether it had; nothing was changed where it had not, or where nobody has touched its month yet. The
 * reservation is locked by then.
 */
export async function takeFromUnit(
  trx: Trx,
  { waveId, unitId, channel, month }: ReservationKey,
  pushes: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with account as (
      update quota_ledger set reserved = reserved + ${pushes}
      where scope = ${unitId} and channel = ${channel} and month = ${month}
        and monthly_limit - reserved - committed >= ${pushes}
      returning scope
    )
    update quota_reservation set unit_reserved = unit_reserved + ${pushes}
    where wave_id = ${waveId} and channel = ${channel} and month = ${month} and exists (select from account)
  `.execute(trx)
  return numAffectedRows === 1n
}

/**
 * Writes a change into a reservation and into the accounts it draws on, in one statement, so that sums and
 * ledger cannot part. Everything it touches is locked by then.
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
