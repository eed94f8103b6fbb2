import type {
  Callback,
  CallbackDelivery,
  CallbackDeliveryPage,
  CallbackListQuery,
  CallbackPage,
} from '../../contract/callbacks/callback.ts'
import { ServiceError } from '../../contract/errors.ts'
import {
  type CallbackRow,
  findCallback,
  listCallbacks as listRows,
} from '../../db/queries/callback/callback.ts'
import {
  type CallbackDeliveryRow,
  listCallbackDeliveries as listDeliveryRows,
} from '../../db/queries/callback/delivery.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { idOrNull } from '../invalid.ts'
import { instant } from '../moments.ts'
import { idOfCursor, pageOf } from '../page.ts'
import { unitOf, unitsOf } from '../unit-of.ts'

/**
 * One page of a unit's callbacks, newest first.
 * @throws ServiceError unit_required, forbidden, validation_error for a cursor that is none
 */
export async function listCallbacks(
  services: Services,
  principal: Principal,
  query: CallbackListQuery,
): Promise<CallbackPage> {
  const rows = await listRows(services.db, {
    unitId: unitOf(principal, query.unitId),
    before: idOfCursor(query.cursor),
    limit: query.limit + 1,
  })
  return pageOf(rows, query.limit, (row) => row.id, callbackOf)
}

/** @throws ServiceError not_found */
export async function getCallback(services: Services, principal: Principal, id: string): Promise<Callback> {
  return callbackOf(await callbackRow(services, principal, id))
}

/**
 * One page of what a callback was told, newest first.
 * @throws ServiceError not_found, validation_error for a cursor that is none
 */
export async function listCallbackDeliveries(
  services: Services,
  principal: Principal,
  id: string,
  query: { cursor?: string | undefined; limit: number },
): Promise<CallbackDeliveryPage> {
  const callback = await callbackRow(services, principal, id)
  const rows = await listDeliveryRows(services.db, {
    callbackId: callback.id,
    before: idOfCursor(query.cursor),
    limit: query.limit + 1,
  })
  return pageOf(rows, query.limit, (row) => row.id, deliveryOf)
}

/** @throws ServiceError not_found */
export async function callbackRow(
  services: Services,
  principal: Principal,
  id: string,
): Promise<CallbackRow> {
  const known = idOrNull(id)
  const row = known && (await findCallback(services.db, known, unitsOf(principal)))
  if (!row) throw unknownCallback()
  return row
}

/** The answer for a callback that is not there, or is another unit's. */
export function unknownCallback(): ServiceError {
  return new ServiceError('not_found', 'There is no such callback. Check the id.')
}

/** A callback as its unit may see it. */
export function callbackOf(row: CallbackRow): Callback {
  return {
    id: row.id,
    unitId: row.unit_id,
    url: row.url,
    description: row.description,
    types: row.types,
    state: row.enabled ? (row.given_up > 0 ? 'failing' : 'active') : 'disabled',
    disabledReason: row.disabled_reason,
    failingSince: instant(row.failing_since),
    givenUp: row.given_up,
    lastDeliveredAt: instant(row.delivered_at),
    oldSecretUntil: isPast(row.old_secret_until) ? null : instant(row.old_secret_until),
    createdAt: row.created_at.toISOString(),
  }
}

function isPast(at: Date | null): boolean {
  return at !== null && at.getTime() < Date.now()
}

function deliveryOf(row: CallbackDeliveryRow): CallbackDelivery {
  return {
    id: row.id,
    type: row.type,
    messageId: row.message_id,
    messageState: row.state,
    state: row.outcome,
    tries: row.tries,
    status: row.status,
    code: row.code,
    at: row.at.toISOString(),
    lastTryAt: instant(row.last_try_at),
    nextTryAt: instant(row.next_try_at),
  }
}
