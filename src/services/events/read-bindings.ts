import type {
  EventBinding,
  EventBindingDetail,
  EventBindingListQuery,
} from '../../contract/events/binding.ts'
import { findBinding, listBindings as listRows } from '../../db/queries/event/binding.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { byId, type Page, pageOf } from '../page.ts'
import { findInUnits, unitOf } from '../unit-access.ts'
import { bindingDetail, bindingOf } from './binding-fields.ts'

/** @throws ServiceError not_found */
export async function getBinding(
  { db }: Services,
  principal: Principal,
  id: string,
): Promise<EventBindingDetail> {
  return bindingDetail(db, principal, await findInUnits(db, principal, id, 'event binding', findBinding))
}

/**
 * One page of a unit's bindings, newest first.
 * @throws ServiceError unit_required, forbidden, validation_error for an invalid cursor
 */
export async function listBindings(
  { db }: Services,
  principal: Principal,
  query: EventBindingListQuery,
): Promise<Page<EventBinding>> {
  const unitId = unitOf(principal, query.unitId)
  return pageOf(query, byId, (page) => listRows(db, unitId, page), bindingOf)
}
