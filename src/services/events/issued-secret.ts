import { ServiceError } from '../../contract/errors.ts'
import { findEventSecret } from '../../db/queries/event/signing-key.ts'
import type { Services } from '../context.ts'
import { requireSecrets } from '../secret-box.ts'

/** What a key's id may be; others are not asked for. */
const keyId = /^[0-9A-Za-z]{1,64}$/
const storable = /^[^\0\p{Cs}]*$/u

/**
 * The secret of a signing key that was issued and not revoked, if it may sign events of this source.
 * @throws ServiceError not_configured if SECRETS_KEY is not the one that sealed it
 */
export async function issuedSecret(
  { db, secrets, log }: Pick<Services, 'db' | 'secrets' | 'log'>,
  id: string,
  source: string,
): Promise<string | undefined> {
  if (!keyId.test(id) || !storable.test(source)) return undefined
  const row = await findEventSecret(db, id, source)
  if (!row) return undefined
  try {
    return requireSecrets({ secrets }).open(row.secret, eventKeyContext(id))
  } catch (error) {
    log.error({ err: error, keyId: id }, 'The secret of a signing key cannot be opened')
    throw new ServiceError(
      'not_configured',
      'The secret of this signing key cannot be read. Ask the operator to set the SECRETS_KEY that sealed it.',
    )
  }
}

/** Ties a sealed secret to its key: in another row it cannot be opened. */
export function eventKeyContext(id: string): string {
  return `event key ${id}`
}
