import { ServiceError } from '../../contract/errors.ts'
import type { CreateEventBinding, EventBinding, UpdateEventBinding } from '../../contract/events/binding.ts'
import type { Trx } from '../../db/connect.ts'
import {
  deleteBinding as deleteRow,
  type EventBindingRow,
  insertBinding,
  lockBinding,
  updateBinding,
} from '../../db/queries/event/binding.ts'
import { insertAudit } from '../../db/queries/maintenance/audit.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { assertMayAsk } from '../messages/rights.ts'
import { findInUnits, unitOf } from '../unit-access.ts'
import { bindingOf, bodyOf, checkFields, disabledFields } from './binding-fields.ts'

/**
 * Binds events of a source and type to a category, template and audience.
 * @throws ServiceError unit_required, forbidden, invalid_transition if another binding is enabled, and what
 *   `checkFields` throws
 */
export function createBinding(
  services: Services,
  principal: Principal,
  { unitId: named, ...body }: CreateEventBinding,
): Promise<EventBinding> {
  const unitId = unitOf(principal, named)
  assertMayAsk(principal, 'create', unitId)
  return write(services, async (trx) => {
    const row = await insertBinding(trx, unitId, await checkFields(trx, principal, unitId, body))
    await audit(trx, principal, 'create', row)
    return bindingOf(row)
  })
}

/**
 * Changes the given fields, for events from now on. A change that only disables the binding needs no rights to its
 * category and audience.
 * @throws ServiceError not_found, forbidden, and what `createBinding` throws
 */
export function changeBinding(
  services: Services,
  principal: Principal,
  id: string,
  body: UpdateEventBinding,
): Promise<EventBinding> {
  return write(services, async (trx) => {
    const row = await writableBinding(trx, principal, id)
    const fields = onlySwitchesOff(body)
      ? disabledFields(row)
      : await checkFields(trx, principal, row.unit_id, { ...bodyOf(row), ...body })
    const changed = await updateBinding(trx, id, fields)
    await audit(trx, principal, 'edit', changed)
    return bindingOf(changed)
  })
}

function onlySwitchesOff(body: UpdateEventBinding): boolean {
  return body.enabled === false && Object.keys(body).length === 1
}

/**
 * Deletes a binding. Its events get no_binding from now on.
 * @throws ServiceError not_found, forbidden
 */
export function deleteBinding(
  services: Services,
  principal: Principal,
  id: string,
): Promise<{ deleted: true }> {
  return write(services, async (trx) => {
    const row = await writableBinding(trx, principal, id)
    await deleteRow(trx, id)
    await audit(trx, principal, 'delete', row)
    return { deleted: true }
  })
}

/**
 * Locks a binding that the caller may write.
 * @throws ServiceError not_found, forbidden
 */
export async function writableBinding(trx: Trx, principal: Principal, id: string): Promise<EventBindingRow> {
  const row = await findInUnits(trx, principal, id, 'event binding', lockBinding)
  assertMayAsk(principal, 'create', row.unit_id)
  return row
}

/** Writes the audit row of a change. */
export async function audit(
  trx: Trx,
  principal: Principal,
  action: 'create' | 'edit' | 'delete' | 'replay',
  row: EventBindingRow,
): Promise<void> {
  const { source, type, enabled } = row
  await insertAudit(trx, {
    unitId: row.unit_id,
    actor: actorOf(principal),
    action,
    objectKind: 'event_binding',
    objectId: row.id,
    details: { source, type, enabled },
  })
}

async function write<T>({ db }: Services, work: (trx: Trx) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (!isUniqueViolation(error, 'event_binding_in_force')) throw error
    throw new ServiceError(
      'invalid_transition',
      'Another binding of this source and type is enabled, possibly in another unit. Disable it first.',
      { state: 'bound' },
    )
  }
}
