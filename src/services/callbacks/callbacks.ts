import type {
  Callback,
  CallbackDelivery,
  CallbackDeliveryPage,
  CallbackListQuery,
  CallbackPage,
} from '../../contract/callbacks/callback.ts'
import {
  type CallbackRow,
  findCallback,
  listCallbacks as listRows,
} from '../../db/queries/callback/callback.ts'
import {
  type CallbackDeliveryRow,
  listCallbackDeliveries as listDeliveryRows,
} from '../../db/queries/callback/delivery.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { toInstant } from '../instants.ts'
import { byId, type PageQuery, pageOf } from '../page.ts'
import { findInUnits, unitOf } from '../unit-access.ts'

/**
 * One page of a unit's callbacks, newest first.
 * @throws ServiceError unit_required, forbidden, validation_error for an invalid cursor
 */
export async function listCallbacks(
  services: Services,
  principal: Principal,
  query: CallbackListQuery,
): Promise<CallbackPage> {
  const unitId = unitOf(principal, query.unitId)
  return pageOf(query, byId, (page) => listRows(services.db, unitId, page), callbackOf)
}

/** @throws ServiceError not_found */
export async function getCallback(services: Services, principal: Principal, id: string): Promise<Callback> {
  return callbackOf(await findOwnCallback(services, principal, id))
}

/**
 * One page of a callback's deliveries, newest first.
 * @throws ServiceError not_found, validation_error for an invalid cursor
 */
export async function listCallbackDeliveries(
  services: Services,
  principal: Principal,
  id: string,
  query: PageQuery,
): Promise<CallbackDeliveryPage> {
  const callback = await findOwnCallback(services, principal, id)
  return pageOf(query, byId, (page) => listDeliveryRows(services.db, callback.id, page), deliveryOf)
}

/** @throws ServiceError not_found */
export function findOwnCallback({ db }: Services, principal: Principal, id: string): Promise<CallbackRow> {
  return findInUnits(db, principal, id, 'callback', findCallback)
}

/** A callback as the API returns it. */
export function callbackOf(row: CallbackRow): Callback {
  return {
    id: row.id,
    unitId: row.unit_id,
    url: row.url,
    description: row.description,
    types: row.types,
    state: row.enabled ? (row.exhausted > 0 ? 'failing' : 'active') : 'disabled',
    disabledReason: row.disabled_reason,
    failingSince: toInstant(row.failing_since),
    exhaustedDeliveries: row.exhausted,
    lastDeliveredAt: toInstant(row.delivered_at),
    oldSecretExpiresAt: isPast(row.old_secret_until) ? null : toInstant(row.old_secret_until),
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
    runId: row.run_id,
    ...(row.object_id !== null && { objectId: row.object_id }),
    messageState: row.state,
    state: row.outcome,
    tries: row.tries,
    httpStatus: row.status,
    reason: row.code,
    at: row.at.toISOString(),
    lastTryAt: toInstant(row.last_try_at),
    nextTryAt: toInstant(row.next_try_at),
  }
}
