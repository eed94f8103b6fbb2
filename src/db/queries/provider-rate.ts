import { sql } from 'kysely'
import type { Db } from '../connect.ts'

/** A provider's own rate: of an account, on one of its endpoints. */
export type ProviderRate = { account: string; endpoint: string; perSecond: number }

/**
 * Leases `share` calls from the bucket that all processes draw on, by Postgres' clock. What is not there yet is lent: the
 * answer says in how many ms the calls may be made, and the next lease waits behind them. A bucket holds one share at
 * most, so that a pause is not made up for by a burst.
 */
export async function leaseShare(
  db: Db,
  { account, endpoint, perSecond }: ProviderRate,
  share: number,
): Promise<number> {
  const { rows } = await sql<{ tokens: number }>`
    insert into provider_rate as bucket (account, endpoint, tokens, at)
    values (${account}, ${endpoint}, 0, clock_timestamp())
    on conflict (account, endpoint) do update
    set at = greatest(bucket.at, clock_timestamp()),
      tokens = least(${share}::float8, bucket.tokens
        + greatest(0, extract(epoch from clock_timestamp() - bucket.at)) * ${perSecond}::float8) - ${share}::float8
    returning tokens
  `.execute(db)
  return Math.max(0, (-rows[0]!.tokens / perSecond) * 1_000)
}
