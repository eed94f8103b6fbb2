import { createHash, createHmac, hkdfSync, randomInt } from 'node:crypto'

/** The SHA-256 of a text; credentials are stored in this form. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The keyed hash of a content (HMAC-SHA256, RFC 2104): without the key, nobody can make it, or tell what it is of. */
export function keyedHash(key: Buffer, content: string | Buffer): Buffer {
  return createHmac('sha256', key).update(content).digest()
}

/** `v1=` and the hex HMAC-SHA256 of `timestamp.content`: the scheme of events and of Lookups. */
export function serviceSignature(secret: string, timestamp: string, content: string | Buffer): string {
  const digest = createHmac('sha256', secret).update(`${timestamp}.`, 'latin1').update(content).digest('hex')
  return `v1=${digest}`
}

/**
 * The signature of where a Lookup goes, in the same scheme. It covers the signature of the content, so that the two of one
 * request stand together; no content is written like that. `target`: method and address.
 */
export function targetSignature(
  secret: string,
  { timestamp, signature, target }: { timestamp: string; signature: string; target: string },
): string {
  return serviceSignature(secret, timestamp, `${signature}.${target}`)
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Base62 characters that hold 256 bits. */
const secretLength = 43

/** A random base62 string, suitable for ids that people copy. */
export function randomToken(length: number): string {
  return Array.from({ length }, () => base62[randomInt(base62.length)]).join('')
}

/** A secret of 256 bits. */
export function randomSecret(): string {
  return randomToken(secretLength)
}

/** Whether a text has the form of a secret from `randomSecret`. */
export function isSecret(text: string): boolean {
  return /^[0-9A-Za-z]{43}$/.test(text)
}

/** The bytes of a key's id. */
export const keyIdBytes = 2

/**
 * The id of a derived key, which stands in what the key has signed or sealed, so that keys can be changed: the start of
 * its SHA-256. It names the key among an installation's few, and tells nothing about it.
 */
export function keyIdOf(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, keyIdBytes)
}

/** The key for one purpose, derived from SECRETS_KEY (HKDF-SHA256, RFC 5869). */
export function deriveKey(purpose: 'links' | 'secrets', secretsKey: string): Buffer {
  const key = hkdfSync('sha256', Buffer.from(secretsKey, 'base64'), '', `carillon ${purpose}`, 32)
  return Buffer.from(key)
}
