import { sql } from 'kysely'
import type { Channel } from '../../../domain/channel-plan.ts'
import type { Month } from '../../../domain/month.ts'
import type { Account } from '../../../domain/quota.ts'
import type { Trx } from '../../connect.ts'

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
  return (await locked(trx, key)) ?? (await makeAndLock(trx, key))
}

function locked(trx: Trx, { scope, channel, month }: AccountKey): Promise<Account | undefined> {
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
  return (await locked(trx, key))!
}
