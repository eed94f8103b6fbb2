import type {
  Callback,
  CreateCallback,
  CreatedCallback,
  DeletedCallback,
  EditCallback,
  RotatedCallback,
} from '../../contract/callbacks/callback.ts'
import { usualCallbackTypes } from '../../contract/enums.ts'
import type { Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  type CallbackRow,
  deleteCallback as deleteRow,
  disableCallback,
  enableCallback,
  insertCallback,
  lockCallback,
  rotateSecret,
  updateCallback,
} from '../../db/queries/callback/callback.ts'
import { changedFields } from '../../domain/lib/changed-fields.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { assertMayEdit, findInUnits, unitOf } from '../unit-access.ts'
import { validationError } from '../validation-error.ts'
import { callbackOf, getCallback } from './callbacks.ts'
import { newSecret } from './secret.ts'

/** How long the previous secret still signs after a rotation. */
const oldSecretHours = 24

/**
 * Registers a callback. Only this response contains its secret.
 * @throws ServiceError unit_required, forbidden, not_configured without SECRETS_KEY, validation_error for an address
 *   that may not be called, or if the unit has the maximum number of callbacks
 */
export async function createCallback(
  services: Services,
  principal: Principal,
  { unitId: named, url, description = '', types = [...usualCallbackTypes] }: CreateCallback,
): Promise<CreatedCallback> {
  const unitId = unitOf(principal, named)
  assertMayEdit(principal, unitId)
  assertCallable(services, url)
  const { secret, sealed } = newSecret(services, unitId)
  const row = await services.db.transaction().execute(async (trx) => {
    const values = { unitId, url, description, types, secret: sealed, createdBy: actorOf(principal) }
    await assertRoomFor(trx, 'callbacks', unitId)
    const callback = await insertCallback(trx, values)
    await audit(trx, principal, 'create', callback, { types })
    return callback
  })
  return { ...callbackOf(row), secret }
}

/**
 * Changes, enables or disables a callback.
 * @throws ServiceError not_found, forbidden, validation_error for an address that may not be called
 */
export async function editCallback(
  services: Services,
  principal: Principal,
  id: string,
  { enabled, ...set }: EditCallback,
): Promise<Callback> {
  if (set.url !== undefined) assertCallable(services, set.url)
  await changed(services, principal, id, async (trx, row) => {
    const fields = changedFields<Pick<CallbackRow, 'url' | 'description' | 'types'>>(row, set)
    const switched = enabled !== undefined && (enabled !== row.enabled || (enabled && isFailing(row)))
    // Whoever wrote the address last decides what it may receive, also where it is the same address.
    const urlBy = actorOf(principal)
    const takesOver = set.url !== undefined && row.url_by !== urlBy
    if (takesOver && !fields.includes('url')) fields.push('url')
    if (fields.length > 0) await updateCallback(trx, row.id, { ...set, ...(takesOver && { url_by: urlBy }) })
    if (enabled === true) await enableCallback(trx, row)
    if (enabled === false && row.enabled) await disableCallback(trx, row.id, 'by_caller')
    if (fields.length > 0 || switched)
      await audit(trx, principal, 'edit', row, { fields, ...(switched && { enabled }) })
  })
  return getCallback(services, principal, id)
}

/** Whether enabling an enabled callback changes something: its failures are reset. */
function isFailing({ failing_since, exhausted }: CallbackRow): boolean {
  return failing_since !== null || exhausted > 0
}

/**
 * Makes a new secret. The previous one also signs for a day; an older one no longer does.
 * @throws ServiceError not_found, forbidden, not_configured
 */
export async function rotateCallback(
  services: Services,
  principal: Principal,
  id: string,
): Promise<RotatedCallback> {
  return changed(services, principal, id, async (trx, row) => {
    const { secret, sealed } = newSecret(services, row.unit_id)
    const until = await rotateSecret(trx, row.id, sealed, oldSecretHours)
    await audit(trx, principal, 'rotate', row)
    return { secret, oldSecretExpiresAt: until.toISOString() }
  })
}

/** @throws ServiceError not_found, forbidden */
export async function deleteCallback(
  services: Services,
  principal: Principal,
  id: string,
): Promise<DeletedCallback> {
  return changed(services, principal, id, async (trx, row) => {
    await deleteRow(trx, row.id)
    await audit(trx, principal, 'delete', row)
    return { deleted: true }
  })
}

/** Runs `work` under the callback's lock, for an editor of its unit. */
function changed<T>(
  { db }: Services,
  principal: Principal,
  id: string,
  work: (trx: Trx, row: CallbackRow) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (trx) => {
    const row = await findInUnits(trx, principal, id, 'callback', lockCallback)
    assertMayEdit(principal, row.unit_id)
    return work(trx, row)
  })
}

function audit(trx: Trx, principal: Principal, action: string, row: CallbackRow, details?: unknown) {
  const { id: objectId, unit_id: unitId } = row
  return insertAudit(trx, {
    unitId,
    actor: actorOf(principal),
    action,
    objectKind: 'callback',
    objectId,
    details,
  })
}

function assertCallable({ outbound }: Services, url: string): void {
  const fault = outbound.faultOf(url)
  if (fault !== null) throw validationError([{ path: 'url', ...fault }])
}
