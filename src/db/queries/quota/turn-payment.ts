import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Month } from '../../../domain/month.ts'
import type { Halves } from '../../../domain/quota.ts'
import type { Trx } from '../../connect.ts'
import { lockAccount, poolScope } from './reservation.ts'

/** The account that pays a turn: of a unit, in one channel and month. */
export type TurnAccount = { unitId: string; channel: Channel; month: Month }

/**
 * Pays one push of a turn: from the unit's own allotment if it has one left, otherwise from the pool. Nothing is
 * reserved before, because a turn is paid when it is first tried. Locks ledger rows until the transaction ends: call it
 * last. Null if both are exhausted; nothing is changed then.
 */
export async function payTurn(trx: Trx, { unitId, channel, month }: TurnAccount): Promise<Halves | null> {
  const account = { unitId, channel, month }
  const paid = await spend(trx, account)
  if (paid) return paid
  // An account without a row in this month is created with its default limit.
  for (const scope of [unitId, poolScope]) await lockAccount(trx, { scope, channel, month })
  return spend(trx, account)
}

/** One statement, because all turns of a unit contend for these rows. Locks the unit's before the pool's. */
async function spend(trx: Trx, { unitId, channel, month }: TurnAccount): Promise<Halves | null> {
  const { rows } = await sql<Halves>`
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
    select (select count(*) from own)::int as unit, (select count(*) from pool)::int as pool
    where exists (select from own) or exists (select from pool)`.execute(trx)
  return rows[0] ?? null
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
