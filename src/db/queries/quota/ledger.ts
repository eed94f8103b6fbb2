import { sql } from 'kysely'
import { type Channel, channels } from '../../../contract/enums.ts'
import { ServiceError } from '../../../contract/errors.ts'
import type { Unit } from '../../../contract/identity/unit-summary.ts'
import type { LedgerForecast } from '../../../domain/audience/audience.ts'
import type { Month } from '../../../domain/lib/month.ts'
import { type Account, available, splitHalves, thresholdOf } from '../../../domain/message/quota.ts'
import type { Db, Trx } from '../../connect.ts'
import { type AccountKey, lockAccount, poolScope } from './reservation.ts'

/** A unit's accounts of one month, one per channel, with the pool's remainder. Creates and locks nothing. */
export async function readLedger(db: Db, unitId: string, month: Month): Promise<Unit['ledger']> {
  const accounts = await accountsOfUnit(db, unitId, month)
  return accounts.map(({ channel, unit, pool }) => ({
    channel,
    month: month.slice(0, 7),
    ...unit,
    poolRemaining: available(pool),
    threshold: thresholdOf(unit),
  }))
}

/** What `pushes` more pushes would mean for a unit's month. */
export type Forecaster = (of: {
  unitId: string
  channel: Channel
  month: Month
  pushes: number
}) => Promise<LedgerForecast>

/** Makes a forecaster that reads the accounts of each unit and month once: for forecasts of one moment. */
export function quotaForecaster(db: Db | Trx): Forecaster {
  const read = new Map<string, ReturnType<typeof accountsOfUnit>>()

  return async ({ unitId, channel, month, pushes }) => {
    const key = `${unitId} ${month}`
    const reading = read.get(key) ?? accountsOfUnit(db, unitId, month)
    read.set(key, reading)
    const { unit, pool } = (await reading).find((account) => account.channel === channel)!
    return {
      estimatedPushes: pushes,
      unitRemaining: available(unit),
      poolRemaining: available(pool),
      wouldExceed: splitHalves(pushes, available(unit), available(pool)) === null,
    }
  }
}

/** A month without a ledger row is read as it would be created: with the scope's default limit, or 0. */
async function accountsOfUnit(
  db: Db | Trx,
  unitId: string,
  month: Month,
): Promise<{ channel: Channel; unit: Account; pool: Account }[]> {
  const { rows } = await sql<AccountKey & Account>`
    select asked.scope, asked.channel, coalesce(reserved, 0) as reserved, coalesce(committed, 0) as committed,
      coalesce(quota_ledger.monthly_limit, quota_default.monthly_limit, 0) as "limit"
    from (
      select scope, channel
      from unnest(${[unitId, poolScope]}::text[]) as scope, unnest(${[...channels]}::text[]) as channel
    ) as asked
    left join quota_default using (scope, channel)
    left join quota_ledger on quota_ledger.scope = asked.scope and quota_ledger.channel = asked.channel
      and quota_ledger.month = ${month}
  `.execute(db)
  const account = (scope: string, channel: Channel): Account => {
    const { limit, reserved, committed } = rows.find((row) => row.scope === scope && row.channel === channel)!
    return { limit, reserved, committed }
  }
  return channels.map((channel) => ({
    channel,
    unit: account(unitId, channel),
    pool: account(poolScope, channel),
  }))
}

/** Sets the limit that new months start with; `scope`: a unit's id, or `pool`. */
export async function setDefaultLimit(
  db: Db | Trx,
  { scope, channel, limit }: Omit<AccountKey, 'month'> & { limit: number },
): Promise<void> {
  await db
    .insertInto('quota_default')
    .values({ scope, channel, monthly_limit: limit })
    .onConflict((conflict) => conflict.columns(['scope', 'channel']).doUpdateSet({ monthly_limit: limit }))
    .execute()
}

/**
 * Sets the limit of one month.
 * @throws ServiceError quota_exceeded with details {used} if more than `limit` is already reserved and committed
 */
export async function setLimit(trx: Trx, { limit, ...key }: AccountKey & { limit: number }): Promise<void> {
  const { reserved, committed } = await lockAccount(trx, key)
  const used = reserved + committed
  if (limit < used)
    throw new ServiceError(
      'quota_exceeded',
      `${used} pushes are already used or reserved: set a limit of at least ${used}.`,
      { used },
    )
  await trx
    .updateTable('quota_ledger')
    .set({ monthly_limit: limit })
    .where('scope', '=', key.scope)
    .where('channel', '=', key.channel)
    .where('month', '=', key.month)
    .execute()
}

/**
 * A scope's accounts of one month, one per channel, with the limit that new months start with. A month without a ledger
 * row is read as it would be created. Creates nothing.
 */
export async function readAccounts(
  db: Db,
  scope: string,
  month: Month,
): Promise<(Account & { channel: Channel; defaultLimit: number })[]> {
  const { rows } = await sql<Account & { channel: Channel; defaultLimit: number }>`
    select asked.channel, coalesce(d.monthly_limit, 0) as "defaultLimit",
      coalesce(l.monthly_limit, d.monthly_limit, 0) as "limit",
      coalesce(l.reserved, 0) as reserved, coalesce(l.committed, 0) as committed
    from unnest(${[...channels]}::text[]) with ordinality as asked (channel, ordinal)
    left join quota_default as d on d.scope = ${scope} and d.channel = asked.channel
    left join quota_ledger as l on l.scope = ${scope} and l.channel = asked.channel and l.month = ${month}
    order by asked.ordinal`.execute(db)
  return rows
}
