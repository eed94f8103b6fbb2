import { randomBytes } from 'node:crypto'
import { ServiceError } from '../../contract/errors.ts'
import type { Services } from '../context.ts'
import type { SecretBox } from '../secret-box.ts'

/** A secret is `whsec_` and so many random bytes in base64 (Standard Webhooks: 24 to 64). */
const secretBytes = 32

/** A new secret of a unit's, as it is shown once and as it is stored. @throws ServiceError not_configured */
export function newSecret(services: Services, unitId: string): { secret: string; sealed: Buffer } {
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`
  return { secret, sealed: secretsOf(services).seal(secret, secretContext(unitId)) }
}

/** @throws ServiceError not_configured without SECRETS_KEY */
export function secretsOf({ secrets }: Services): SecretBox {
  if (secrets) return secrets
  throw new ServiceError(
    'not_configured',
    'This installation keeps no secrets to sign with. Its operator sets SECRETS_KEY.',
  )
}

/** A sealed secret belongs to a unit, so that it opens in no other unit's row. */
export function secretContext(unitId: string): string {
  return `callback of unit ${unitId}`
}
