import { type Selectable, sql } from 'kysely'
import type { DisabledReason } from '../../../contract/enums.ts'
import type { Db, Trx } from '../../connect.ts'
import { inUnits, lockRow, pageOfUnit, type RowPage } from '../../rows.ts'
import type { CallbackTable } from '../../tables.ts'
import { answersPause } from './answers.ts'

export type CallbackRow = Selectable<CallbackTable>
type NewCallback = Pick<CallbackRow, 'url' | 'description' | 'types' | 'secret'> & {
  unitId: string
  createdBy: string
}

/** Registers a callback. */
export async function insertCallback(
  trx: Trx,
  { unitId, url, description, types, secret, createdBy }: NewCallback,
): Promise<CallbackRow> {
  const { rows } = await sql<CallbackRow>`
    insert into callback (unit_id, url, description, types, secret, created_by, url_by)
    values (${unitId}::uuid, ${url}, ${description}, ${types}::text[], ${secret}::bytea, ${createdBy}, ${createdBy})
    returning *
  `.execute(trx)
  return rows[0]!
}

export async function findCallback(db: Db, id: string, unitIds: string[]): Promise<CallbackRow | undefined> {
  return inUnits(selectCallback(db), 'callback', id, unitIds).executeTakeFirst()
}

/** The same, locked for a change. Lock order: a callback before its deliveries. */
export async function lockCallback(
  trx: Trx,
  id: string,
  unitIds: string[],
): Promise<CallbackRow | undefined> {
  return inUnits(selectCallback(trx), 'callback', id, unitIds).forNoKeyUpdate().executeTakeFirst()
}

function selectCallback(db: Db) {
  return db.selectFrom('callback').selectAll()
}

/** A unit's callbacks, newest first. */
export async function listCallbacks(db: Db, unitId: string, page: RowPage): Promise<CallbackRow[]> {
  return pageOfUnit(selectCallback(db), 'callback', unitId, page).execute()
}

/** The addresses of enabled callbacks of all units, one of each host; at most `most`. */
export async function listCallbackAddresses(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select distinct on (host) url from (
      select url, substring(url from '^[^/]*//[^/?#]*') as host from callback where enabled
    ) as enabled order by host, url limit ${most}
  `.execute(db)
  return rows.map(({ url }) => url)
}

/** The secret of one enabled callback for each key that seals them; the first three bytes name the key. */
export async function sampleSecrets(db: Db): Promise<{ unitId: string; secret: Buffer }[]> {
  const { rows } = await sql<{ unitId: string; secret: Buffer }>`
    select distinct on (substring(secret from 1 for 3)) unit_id as "unitId", secret from callback
    where enabled order by substring(secret from 1 for 3), id
  `.execute(db)
  return rows
}

/**
 * Changes the fields that a unit edits; `enableCallback` and `disableCallback` switch it. `url_by` goes with `url`.
 */
export async function updateCallback(
  trx: Trx,
  id: string,
  set: Partial<Pick<CallbackRow, 'url' | 'url_by' | 'description' | 'types'>>,
): Promise<void> {
  await trx.updateTable('callback').set(set).where('id', '=', id).execute()
}

/**
 * Enables a callback and resets its failures. If it was enabled, its pending deliveries are sent at once; if it was
 * disabled, they are dropped: they were written while it was being disabled.
 */
export async function enableCallback(
  trx: Trx,
  { id, enabled }: Pick<CallbackRow, 'id' | 'enabled'>,
): Promise<void> {
  await (enabled ? retryDeliveriesNow(trx, id) : deletePendingDeliveries(trx, id))
  await trx
    .updateTable('callback')
    .set({ enabled: true, disabled_reason: null, failing_since: null, exhausted: 0 })
    .where('id', '=', id)
    .execute()
}

/** Disables a callback and drops its pending deliveries. Returns whether it was enabled. */
export async function disableCallback(trx: Trx, id: string, reason: DisabledReason): Promise<boolean> {
  await deletePendingDeliveries(trx, id)
  const { numUpdatedRows } = await trx
    .updateTable('callback')
    .set({ enabled: false, disabled_reason: reason })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** In words, and no value: only so can a plan for any values use the indexes of those that wait. */
const isWaiting = sql<boolean>`outcome = 'pending'`

async function deletePendingDeliveries(trx: Trx, callbackId: string): Promise<void> {
  await trx
    .updateTable('callback_delivery')
    .set({ outcome: 'failed', next_try_at: null, lease_until: null, code: 'disabled' })
    .where('callback_id', '=', callbackId)
    .where(isWaiting)
    .execute()
}

/** Makes deliveries that wait for a retry due now; counts of answers not before their pause is over. */
export async function retryDeliveriesNow(trx: Trx, callbackId: string): Promise<void> {
  await trx
    .updateTable('callback_delivery')
    .set({
      next_try_at: sql<Date>`greatest(clock_timestamp(),
        case when type = 'message.answer_counts' and tries = 0 then at + ${answersPause} end)`,
    })
    .where('callback_id', '=', callbackId)
    .where(isWaiting)
    .where('next_try_at', '>', sql<Date>`clock_timestamp()`)
    .execute()
}

/** Replaces the secret; the old one also signs for `hours` hours. Returns until when. */
export async function rotateSecret(trx: Trx, id: string, secret: Buffer, hours: number): Promise<Date> {
  const { old_secret_until } = await trx
    .updateTable('callback')
    .set((eb) => ({
      secret,
      old_secret: eb.ref('secret'),
      old_secret_until: sql<Date>`date_trunc('milliseconds', clock_timestamp()) + make_interval(hours => ${hours})`,
    }))
    .where('id', '=', id)
    .returning('old_secret_until')
    .executeTakeFirstOrThrow()
  return old_secret_until!
}

/** Enabled callbacks that are failing and retried (`retrying`), and those with exhausted deliveries (`failed`). */
export async function countCallbacks(db: Db): Promise<{ retrying: number; failed: number }> {
  const { rows } = await sql<{ retrying: number; failed: number }>`
    select count(*) filter (where failing_since is not null)::integer as retrying,
      count(*) filter (where exhausted > 0)::integer as failed
    from callback where enabled
  `.execute(db)
  return rows[0]!
}

/** Deletes a callback with all its deliveries. Waits for moves that are about to write one. */
export async function deleteCallback(trx: Trx, id: string): Promise<void> {
  await lockRow(trx, 'callback', id, 'delete')
  await trx.deleteFrom('callback_delivery').where('callback_id', '=', id).execute()
  await trx.deleteFrom('callback').where('id', '=', id).execute()
}
