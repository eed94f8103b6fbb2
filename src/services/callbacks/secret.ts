import { randomBytes } from 'node:crypto'
import type { Services } from '../context.ts'
import { requireSecrets } from '../secret-box.ts'

/** Random bytes of a secret, which is `whsec_` and their Base64 (Standard Webhooks: 24 to 64). */
const secretBytes = 32

/** Makes a secret for a unit: in plain text, to be shown once, and sealed. @throws ServiceError not_configured */
export function newSecret(services: Services, unitId: string): { secret: string; sealed: Buffer } {
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`
  return { secret, sealed: requireSecrets(services).seal(secret, secretContext(unitId)) }
}

/** Ties a sealed secret to its unit: in the row of another unit it cannot be decrypted. */
export function secretContext(unitId: string): string {
  return `callback of unit ${unitId}`
}
