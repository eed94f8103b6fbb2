import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey } from '../signing.ts'

/**
 * Encrypts signing secrets. `context` names their owner: a sealed secret that is moved to another owner's row cannot be
 * decrypted.
 */
export type SecretBox = {
  seal(secret: string, context: string): Buffer
  /** @throws if it was sealed with another key or context, or was modified */
  open(sealed: Buffer, context: string): string
}

/** The box of an installation with this SECRETS_KEY; undefined without one. */
export function secretBoxOf(secretsKey: string | undefined): SecretBox | undefined {
  return secretsKey === undefined ? undefined : secretBox(deriveKey('secrets', secretsKey))
}

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Seals with AES-256-GCM under a key of 32 bytes: nonce, tag, ciphertext. */
export function secretBox(key: Buffer): SecretBox {
  return {
    seal(secret, context) {
      const iv = randomBytes(ivBytes)
      const sealing = createCipheriv(cipher, key, iv, { authTagLength: tagBytes })
      sealing.setAAD(Buffer.from(context))
      const text = Buffer.concat([sealing.update(secret, 'utf8'), sealing.final()])
      return Buffer.concat([iv, sealing.getAuthTag(), text])
    },
    open(sealed, context) {
      const iv = sealed.subarray(0, ivBytes)
      const opening = createDecipheriv(cipher, key, iv, { authTagLength: tagBytes })
      opening.setAAD(Buffer.from(context))
      opening.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
      return opening.update(sealed.subarray(ivBytes + tagBytes), undefined, 'utf8') + opening.final('utf8')
    },
  }
}
