import { ServiceError } from '../contract/errors.ts'
import { mayAsk } from '../domain/permission.ts'
import type { Principal } from '../domain/principal.ts'

/**
 * Topics, groups and callbacks are changed by those who may write the unit's messages: its editors, and its keys.
 * @throws ServiceError forbidden
 */
export function assertMayEdit(principal: Principal, unitId: string): void {
  if (mayAsk(principal, 'create', unitId)) return
  throw new ServiceError('forbidden', 'Only an editor of the unit may change this. Ask one of them.')
}
