import { sql } from 'kysely'
import type { Channel } from '../../../contract/enums.ts'
import type { Month } from '../../../domain/month.ts'
import { available, type Halves } from '../../../domain/quota.ts'
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
  const unit = { scope: unitId, channel, month }
  if (await spend(trx, unit)) return { unit: 1, pool: 0 }
  if (available(await lockAccount(trx, unit)) > 0 && (await spend(trx, unit))) return { unit: 1, pool: 0 }
  const pool = { scope: poolScope, channel, month }
  if (available(await lockAccount(trx, pool)) > 0 && (await spend(trx, pool))) return { unit: 0, pool: 1 }
  return null
}

/** One statement, because all turns of a unit contend for this row. */
async function spend(
  trx: Trx,
  { scope, channel, month }: { scope: string; channel: Channel; month: Month },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('quota_ledger')
    .set(({ eb }) => ({ committed: eb('committed', '+', 1) }))
    .where('scope', '=', scope)
    .where('channel', '=', channel)
    .where('month', '=', month)
    .where(sql<boolean>`monthly_limit - reserved - committed >= 1`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
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
