import type { Channel } from '../contract/enums.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../db/connect.ts'
import { findHashKey, storeSealedKey } from '../db/queries/subject/suppression.ts'
import { addressIdentity } from '../domain/address-identity.ts'
import { keyedHash } from '../signing.ts'
import type { SecretBox } from './secret-box.ts'

/** The hash of an address, the same for all its spellings. */
export type AddressHasher = (channel: Channel, address: string) => Buffer

/** Names the key among what SECRETS_KEY seals. */
export const hashKeyContext = 'address hash key'

/**
 * The hasher of this installation (docs/design/provider-outcomes.md). Reads its key, which never changes, from the
 * database, and opens it with SECRETS_KEY if it is sealed.
 * @throws ServiceError not_configured if it is sealed and the key that sealed it is not set
 */
export async function addressHasher(db: Db, secrets: SecretBox | undefined): Promise<AddressHasher> {
  const { key, sealed } = await findHashKey(db)
  const open = sealed ? openKey(key, secrets) : key
  return (channel, address) => keyedHash(open, `${channel} ${addressIdentity(channel, address)}`)
}

function openKey(sealed: Buffer, secrets: SecretBox | undefined): Buffer {
  if (!secrets)
    throw new ServiceError(
      'not_configured',
      'Addresses are compared with suppressed ones by a key that SECRETS_KEY opens. Set SECRETS_KEY.',
    )
  try {
    return Buffer.from(secrets.open(sealed, hashKeyContext), 'base64')
  } catch {
    throw new ServiceError(
      'not_configured',
      'SECRETS_KEY does not open the key of suppressed addresses. Set the key that sealed it, here or in SECRETS_KEYS_ACCEPTED.',
    )
  }
}

/** Seals the key of the hashes, unless it is sealed already. Returns whether it did. */
export async function sealHashKey(db: Db, secrets: SecretBox): Promise<boolean> {
  const { key, sealed } = await findHashKey(db)
  if (sealed) return false
  return storeSealedKey(db, {
    open: key,
    sealed: secrets.seal(key.toString('base64'), hashKeyContext),
  })
}
