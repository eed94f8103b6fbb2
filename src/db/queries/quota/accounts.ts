import { sql } from 'kysely'
import { type Channel, channels } from '../../../domain/channel-plan.ts'
import type { Month } from '../../../domain/month.ts'
import type { Account } from '../../../domain/quota.ts'
import type { Db } from '../../connect.ts'

/**
 * A scope's accounts of one month, one per channel, with the limit that its months begin with. A month that nobody has
 * touched yet stands as it would be made. Reads only.
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
    from unnest(${[...channels]}::text[]) with ordinality as asked (channel, place)
    left join quota_default as d on d.scope = ${scope} and d.channel = asked.channel
    left join quota_ledger as l on l.scope = ${scope} and l.channel = asked.channel and l.month = ${month}
    order by asked.place`.execute(db)
  return rows
}
