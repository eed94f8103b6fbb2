import type { IntegrationState } from '../contract/enums.ts'
import { listCallbackAddresses, sampleSecrets } from '../db/queries/callback/callback.ts'
import { findUnitNamed } from '../db/queries/identity/unit.ts'
import { findEndpointsWithoutKey, listLookupOrigins } from '../db/queries/lookup/endpoint.ts'
import { secretContext } from './callbacks/secret.ts'
import type { Services } from './context.ts'
import { faultOfOrigin } from './lookups/way.ts'
import type { SecretBox } from './secret-box.ts'

/** Hosts of callbacks whose addresses are checked, at most. */
const hostsMost = 1_000

/**
 * The state of what other systems and this installation do for one another, by its settings: nobody is called. What an
 * endpoint answers is its owner's matter, and is in the metrics (docs/design/observing.md).
 */

/** Whether every registered Lookup endpoint can be signed for, and may be called. */
export async function lookupState({
  db,
  signingKeys,
  outbound,
}: Pick<Services, 'db' | 'signingKeys' | 'outbound'>): Promise<IntegrationState> {
  const origins = await listLookupOrigins(db)
  if (origins.length === 0) return 'not_configured'
  const unsigned = await findEndpointsWithoutKey(db, [...signingKeys.keys()])
  return unsigned.length > 0 || origins.some((origin) => faultOfOrigin(outbound, origin) !== null)
    ? 'misconfigured'
    : 'ok'
}

/** Whether the callbacks that are enabled can be signed, and may be called. */
export async function callbackState({
  db,
  secrets,
  outbound,
}: Pick<Services, 'db' | 'secrets' | 'outbound'>): Promise<IntegrationState> {
  const addresses = await listCallbackAddresses(db, hostsMost)
  if (addresses.length === 0) return 'not_configured'
  const refused = addresses.some((address) => outbound.faultOf(address) !== null)
  if (refused || !secrets) return 'misconfigured'
  const sealed = await sampleSecrets(db)
  return sealed.every(({ unitId, secret }) => canOpen(secrets, secret, unitId)) ? 'ok' : 'misconfigured'
}

function canOpen(secrets: SecretBox, sealed: Buffer, unitId: string): boolean {
  try {
    secrets.open(sealed, secretContext(unitId))
    return true
  } catch {
    return false
  }
}

/** Whether requests of the conversational assistant can be accepted, and belong to a unit. */
export async function assistantState(
  { db, avatarUnit }: Pick<Services, 'db' | 'avatarUnit'>,
  acceptsRequests: boolean,
): Promise<IntegrationState> {
  if (avatarUnit === undefined) return 'not_configured'
  return acceptsRequests && (await findUnitNamed(db, avatarUnit)) !== undefined ? 'ok' : 'misconfigured'
}
