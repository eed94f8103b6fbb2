import { sql } from 'kysely'
import type { Trx } from '../connect.ts'
import { hastenDeliveries } from './callback.ts'
import type { DueDelivery } from './callback-due.ts'

/** How a try went: what they answered, and why it does not count where it does not. */
export type TryResult = { status: number | null; code: string | null }

/** How often it was tried, and how long ago it was written. */
export type Tried = { tries: number; ageSeconds: number }

/**
 * Locks the callback, then the delivery that was tried: the order of all. Undefined where there is nothing left to be
 * written: it was removed or switched off meanwhile, or the try took so long that somebody else has it now.
 */
export async function lockTried(
  trx: Trx,
  { id, callbackId, tries }: Pick<DueDelivery, 'id' | 'callbackId' | 'tries'>,
): Promise<Tried | undefined> {
  await trx.selectFrom('callback').select('id').where('id', '=', callbackId).forNoKeyUpdate().execute()
  return trx
    .selectFrom('callback_delivery')
    .select(['tries', sql<number>`extract(epoch from clock_timestamp() - at)::float8`.as('ageSeconds')])
    .where('id', '=', id)
    .where('outcome', '=', 'waiting')
    .where('tries', '=', tries)
    .forUpdate()
    .executeTakeFirst()
}

/** Ends a delivery for good. */
export async function endDelivery(
  trx: Trx,
  id: string,
  outcome: 'delivered' | 'failed',
  { status, code }: TryResult,
): Promise<void> {
  await trx
    .updateTable('callback_delivery')
    .set({ outcome, status, code, next_try_at: null, lease_until: null })
    .where('id', '=', id)
    .execute()
}

/** Has it tried again in some seconds, and whatever is behind it no sooner. */
export async function postponeDelivery(
  trx: Trx,
  { id, callbackId, messageId }: Pick<DueDelivery, 'id' | 'callbackId' | 'messageId'>,
  seconds: number,
  { status, code }: TryResult,
): Promise<void> {
  await sql`
    update callback_delivery
    set next_try_at = clock_timestamp() + make_interval(secs => ${seconds} * (0.9 + 0.2 * random())),
      status = case when id = ${id} then ${status} else status end,
      code = case when id = ${id} then ${code} else code end,
      lease_until = case when id = ${id} then null else lease_until end
    where callback_id = ${callbackId} and message_id = ${messageId} and outcome = 'waiting'
  `.execute(trx)
}

/** The callback took something. Where it had failed before, what waits for a later try is due now. */
export async function noteSuccess(trx: Trx, callbackId: string): Promise<void> {
  const { rows } = await sql<{ recovered: boolean }>`
    update callback as c set delivered_at = clock_timestamp(), failing_since = null, given_up = 0
    from (select failing_since from callback where id = ${callbackId}) as before
    where c.id = ${callbackId}
    returning before.failing_since is not null as recovered
  `.execute(trx)
  if (rows[0]?.recovered) await hastenDeliveries(trx, callbackId)
}

/** The callback did not take something; `givenUp`: and it will not be tried again. */
export async function noteFailure(trx: Trx, callbackId: string, givenUp: boolean): Promise<void> {
  await sql`
    update callback set failing_since = coalesce(failing_since, clock_timestamp()),
      given_up = given_up + ${givenUp ? 1 : 0}
    where id = ${callbackId}
  `.execute(trx)
}
