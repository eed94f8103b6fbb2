import type { EventBinding, EventBindingListQuery } from '../../contract/events/binding.ts'
import { findBinding, listBindings as listRows } from '../../db/queries/event/binding.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { idOfCursor, type Page, pageOf } from '../page.ts'
import { unitOf, unitsOf } from '../unit-of.ts'
import { bindingOf, unknownBinding } from './binding-fields.ts'

/** @throws ServiceError not_found */
export async function getBinding({ db }: Services, principal: Principal, id: string): Promise<EventBinding> {
  const row = await findBinding(db, id, unitsOf(principal))
  if (!row) throw unknownBinding()
  return bindingOf(row)
}

/**
 * One page of a unit's bindings, newest first.
 * @throws ServiceError unit_required, forbidden, validation_error for a cursor that is none
 */
export async function listBindings(
  { db }: Services,
  principal: Principal,
  query: EventBindingListQuery,
): Promise<Page<EventBinding>> {
  const rows = await listRows(db, {
    unitId: unitOf(principal, query.unitId),
    before: idOfCursor(query.cursor),
    limit: query.limit + 1,
  })
  return pageOf(rows, query.limit, (row) => row.id, bindingOf)
}
