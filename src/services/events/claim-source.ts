import { ServiceError } from '../../contract/errors.ts'
import { broken } from '../../contract/rules.ts'
import type { Trx } from '../../db/connect.ts'
import { isSignedByOthers, lockSources } from '../../db/queries/event/signing-key.ts'
import { hasClaimed, insertClaims } from '../../db/queries/event/source-claim.ts'
import { isOpen } from '../../domain/event/signing-sources.ts'
import { mayClaimSources } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { validationError } from '../validation-error.ts'

/**
 * Checks that a unit may bind the events of a source: it has claimed it, or the settings open it to every unit. What an
 * administrator binds is claimed by that (docs/design/events.md). Locks the source.
 * @throws ServiceError validation_error if another unit has a key for it, forbidden
 */
export async function claimSource(
  { signingSources }: Pick<Services, 'signingSources'>,
  trx: Trx,
  principal: Principal,
  { unitId, source }: { unitId: string; source: string },
): Promise<void> {
  await lockSources(trx, [source])
  if (await isSignedByOthers(trx, unitId, source))
    throw validationError([{ path: 'source', ...broken('taken', { of: 'signed_source' }) }])
  if (mayClaimSources(principal))
    return insertClaims(trx, { unitId, sources: [source], claimedBy: actorOf(principal) })
  if (!isOpen(signingSources, source) && !(await hasClaimed(trx, unitId, source))) throw notClaimed(source)
}

/** It names no other unit: which one has claimed the source is not for everybody to know. */
function notClaimed(source: string): ServiceError {
  return new ServiceError(
    'forbidden',
    `The unit has not claimed the source ${source}. Ask a system administrator to issue a signing key for it to the ` +
      'unit, or to create its first binding.',
  )
}
