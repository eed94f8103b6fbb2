import type { Channel, SuppressionReason } from '../../contract/enums.ts'
import type { Trx } from '../../db/connect.ts'
import { announceSuppressions } from '../../db/queries/callback/objects.ts'
import { insertSuppressions } from '../../db/queries/subject/suppression.ts'
import { addressHasher } from '../address-hash.ts'
import type { Services } from '../context.ts'

/** `server`: the host of the mail server that said so. */
type ToSuppress = { channel: Channel; why: SuppressionReason; server?: string | null; addresses: string[] }

/**
 * Suppresses addresses permanently, regardless of the person they are or will be bound to. Returns the subjects newly
 * affected.
 * @throws ServiceError not_configured
 */
export async function suppressAddresses(
  { db, secrets }: Pick<Services, 'secrets'> & { db: Trx },
  { channel, why, server = null, addresses }: ToSuppress,
): Promise<string[]> {
  const hashOf = await addressHasher(db, secrets)
  const hashed = addresses.map((address) => ({ address, hash: hashOf(channel, address) }))
  const subjects = await insertSuppressions(db, { channel, why, server, addresses: hashed })
  await announceSuppressions(db, subjects, { channel, reason: why })
  return subjects
}
