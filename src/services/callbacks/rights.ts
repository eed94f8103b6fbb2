import { ServiceError } from '../../contract/errors.ts'
import { mayAsk } from '../../domain/permission.ts'
import type { Principal } from '../../domain/principal.ts'

/** Whoever may write the unit's messages may say who is told of them. @throws ServiceError forbidden */
export function assertEditor(principal: Principal, unitId: string): void {
  if (mayAsk(principal, 'create', unitId)) return
  throw new ServiceError('forbidden', 'Only an editor of the unit may change its callbacks.')
}
