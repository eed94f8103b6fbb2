import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Month } from '../../../domain/lib/month.ts'
import { type Halves, sumHalves } from '../../../domain/message/quota.ts'
import type { Trx } from '../../connect.ts'
import { lockAccount, poolScope } from './reservation.ts'

/** The account that pays a turn: of a unit, in one channel and month. */
type TurnAccount = { unitId: string; channel: Channel; month: Month }

/**
 * Pays one push of a turn: from the unit's own allotment if it has one left, otherwise from the pool. Nothing is
 * reserved before, because a turn is paid when it is first tried. Locks ledger rows until the transaction ends: call it
 * last. Null if both are exhausted; nothing is changed then.
 */
export async function payTurn(trx: Trx, { unitId, channel, month }: TurnAccount): Promise<Halves | null> {
  const account = { unitId, channel, month }
  const { accounts, ...paid } = await spend(trx, account)
  if (sumHalves(paid) > 0) return paid
  // With both accounts there, the pool's may be locked already: the unit's must not be locked after it.
  if (accounts === 2) return null
  for (const scope of [unitId, poolScope]) await lockAccount(trx, { scope, channel, month })
  const { unit, pool } = await spend(trx, account)
  return unit + pool > 0 ? { unit, pool } : null
}

/**
 * One statement, because all turns of a unit contend for these rows. Locks the unit's before the pool's, and the pool's
 * only if both exist. `accounts`: how many of the two exist.
 */
async function spend(
  trx: Trx,
  { unitId, channel, month }: TurnAccount,
): Promise<Halves & { accounts: number }> {
  const { rows } = await sql<Halves & { accounts: number }>`
    with own as (
      update quota_ledger set committed = committed + 1
      where scope = ${unitId} and channel = ${channel} and month = ${month}
        and monthly_limit - reserved - committed >= 1
      returning 1
    ),
    pool as (
      update quota_ledger set committed = committed + 1
      where scope = ${poolScope} and channel = ${channel} and month = ${month}
        and monthly_limit - reserved - committed >= 1 and not exists (select from own)
        and exists (select from quota_ledger as unit
          where unit.scope = ${unitId} and unit.channel = ${channel} and unit.month = ${month})
      returning 1
    )
    select (select count(*) from own)::int as unit, (select count(*) from pool)::int as pool,
      (select count(*) from quota_ledger
        where scope in (${unitId}, ${poolScope}) and channel = ${channel} and month = ${month})::int as accounts`.execute(
    trx,
  )
  return rows[0]!
}

/** Gives back what a turn was paid with, in the month in which it was paid. Call it last in the transaction. */
export async function refundTurn(
  trx: Trx,
  { unitId, channel, month }: TurnAccount,
  paid: Halves,
): Promise<void> {
  const halves = [
    { scope: unitId, pushes: paid.unit },
    { scope: poolScope, pushes: paid.pool },
  ]
  for (const { scope, pushes } of halves) {
    if (pushes === 0) continue
    await trx
      .updateTable('quota_ledger')
      .set(({ eb }) => ({ committed: eb('committed', '-', pushes) }))
      .where('scope', '=', scope)
      .where('channel', '=', channel)
      .where('month', '=', month)
      .execute()
  }
}
