import { sql } from 'kysely'
import type { Invariant } from './invariant.ts'

/** I4: the ledger is exact. I5: who is done holds nothing. */
export const ledgerInvariants: Invariant[] = [
  {
    name: 'I4 sums',
    means: 'an account has reserved and committed what the reservations on it say, together within its limit',
    broken: sql`
      with held as (
        select unit_id::text as scope, channel, month, sum(unit_reserved) as reserved,
          sum(unit_committed) as committed
        from quota_reservation group by unit_id, channel, month
        union all
        select 'pool', channel, month, sum(pool_reserved), sum(pool_committed)
        from quota_reservation group by channel, month
      )
      select format('%s %s %s', scope, channel, month) as violation
      from quota_ledger account full join held using (scope, channel, month)
      where coalesce(account.reserved, 0) <> coalesce(held.reserved, 0)
        or coalesce(account.committed, 0) <> coalesce(held.committed, 0)
        or least(account.reserved, account.committed) < 0
        or account.reserved + account.committed > account.monthly_limit`,
  },
  {
    name: 'I4 committed',
    means: 'a wave has committed what its counted batches cost',
    broken: sql`
      select format('wave %s: %s: %s committed, %s counted', wave_id, channel, coalesce(committed, 0),
        coalesce(counted, 0)) as violation
      from (
        select wave_id, channel, sum(unit_committed + pool_committed) as committed
        from quota_reservation group by wave_id, channel
      ) as reserved
      full join (
        select wave_id, channel, sum(pushes) as counted from batch where state = 'folded' group by wave_id, channel
      ) as folded using (wave_id, channel)
      where coalesce(committed, 0) <> coalesce(counted, 0)
        and not exists (select from wave where wave.id = wave_id and purged_at is not null)`,
  },
  {
    name: 'I4 calls',
    means:
      'a counted batch costs one push for each recipient of each call that was accepted or stayed unclear',
    broken: sql`
      select format('wave %s: %s batch %s: %s pushes', wave_id, channel, number, pushes) as violation
      from batch
      where state = 'folded' and pushes <> (
        select coalesce(sum(cardinality(subject_ids)), 0) from call
        where call.wave_id = batch.wave_id and call.channel = batch.channel and call.batch = batch.number
          and call.state in ('accepted', 'unknown')
      )`,
  },
  {
    name: 'I5',
    means: 'a closed message reserves nothing',
    broken: sql`
      select format('message %s: wave %s holds %s', message.id, wave.id, unit_reserved + pool_reserved) as violation
      from quota_reservation
      join wave on wave.id = quota_reservation.wave_id
      join message on message.id = wave.message_id
      where message.closed_at is not null and unit_reserved + pool_reserved > 0`,
  },
]
