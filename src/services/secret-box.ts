import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { ServiceError } from '../contract/errors.ts'
import { deriveKey, keyIdBytes, keyIdOf } from '../signing.ts'

/**
 * Encrypts signing secrets. `context` names their owner: a sealed secret that is moved to another owner's row cannot be
 * decrypted.
 */
export type SecretBox = {
  seal(secret: string, context: string): Buffer
  /** @throws if it was sealed with an unknown key or another context, or was modified */
  open(sealed: Buffer, context: string): string
  /** Whether it names the key that seals now. */
  isCurrent(sealed: Buffer): boolean
}

type SecretsKeys = Pick<Config, 'SECRETS_KEY' | 'SECRETS_KEYS_ACCEPTED'>

/** The box of an installation with these settings; undefined without SECRETS_KEY. */
export function secretBoxOf({ SECRETS_KEY: key, SECRETS_KEYS_ACCEPTED: accepted }: SecretsKeys) {
  if (key === undefined) return undefined
  return secretBox(
    deriveKey('secrets', key),
    accepted.map((one) => deriveKey('secrets', one)),
  )
}

/** @throws ServiceError not_configured without SECRETS_KEY */
export function requireSecrets({ secrets }: { secrets?: SecretBox | undefined }): SecretBox {
  if (secrets) return secrets
  throw new ServiceError(
    'not_configured',
    'Signing is not configured in this installation. Ask its operator to set SECRETS_KEY.',
  )
}

const cipher = 'aes-256-gcm'
/** The first byte of what names its key. What was sealed before has neither: it starts with its nonce. */
const formatVersion = 1
const headBytes = 1 + keyIdBytes
const ivBytes = 12
const tagBytes = 16

/**
 * Seals with AES-256-GCM under `key`, of 32 bytes: format, key id, nonce, tag, ciphertext. Opens what `key` or one of the
 * `accepted` keys has sealed, with an id or without.
 */
export function secretBox(key: Buffer, accepted: readonly Buffer[] = []): SecretBox {
  const keys = [key, ...accepted]
  const headOf = (one: Buffer) => Buffer.concat([Buffer.of(formatVersion), keyIdOf(one)])
  const head = headOf(key)
  const starts = (sealed: Buffer, with_: Buffer) => sealed.subarray(0, headBytes).equals(with_)
  return {
    seal: (secret, context) => Buffer.concat([head, encrypt(key, secret, context)]),
    open(sealed, context) {
      // A nonce may look like a head: GCM tells them apart.
      const named = keys.filter((one) => starts(sealed, headOf(one)))
      const tries = [
        ...named.map((one) => () => decrypt(one, sealed.subarray(headBytes), context)),
        ...keys.map((one) => () => decrypt(one, sealed, context)),
      ]
      return firstOf(tries)
    },
    isCurrent: (sealed) => starts(sealed, head),
  }
}

function encrypt(key: Buffer, secret: string, context: string): Buffer {
  const iv = randomBytes(ivBytes)
  const sealing = createCipheriv(cipher, key, iv, { authTagLength: tagBytes })
  sealing.setAAD(Buffer.from(context))
  const text = Buffer.concat([sealing.update(secret, 'utf8'), sealing.final()])
  return Buffer.concat([iv, sealing.getAuthTag(), text])
}

function decrypt(key: Buffer, sealed: Buffer, context: string): string {
  const iv = sealed.subarray(0, ivBytes)
  const opening = createDecipheriv(cipher, key, iv, { authTagLength: tagBytes })
  opening.setAAD(Buffer.from(context))
  opening.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  return opening.update(sealed.subarray(ivBytes + tagBytes), undefined, 'utf8') + opening.final('utf8')
}

/** The result of the first that does not throw; otherwise throws what the last one did. */
function firstOf<T>(tries: (() => T)[]): T {
  let failure: unknown
  for (const attempt of tries)
    try {
      return attempt()
    } catch (error) {
      failure = error
    }
  throw failure
}
