import type { ServiceError } from '../contract/errors.ts'
import { type Bound, bounds } from '../contract/limits.ts'
import { broken } from '../contract/rules.ts'
import type { Trx } from '../db/connect.ts'
import { hasRoom } from '../db/queries/bound.ts'
import { requestError } from './validation-error.ts'

/**
 * Checks that one more of a kind may be stored (docs/api/limits.md), in the transaction that stores it. `id`: of the
 * unit or object that has them; null: the installation has them.
 * @throws ServiceError validation_error, which says what to do
 */
export async function assertRoomFor(trx: Trx, of: Bound, id: string | null): Promise<void> {
  if (!(await hasRoom(trx, of, id, bounds[of].most))) throw tooMany(of)
}

/** The error of one more than may be stored. */
export function tooMany(of: Bound): ServiceError {
  const { most, each, what, instead } = bounds[of]
  const number = most.toLocaleString('en')
  return requestError(`${each} may have at most ${number} ${what}. ${instead}.`, {
    path: '',
    ...broken('limit_reached', { limit: most, of }),
  })
}
