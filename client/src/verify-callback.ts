import { CarillonError } from './error.ts'
import { assertSecret, rawContent } from './raw-content.ts'
import type { CallbackEvent } from './types.ts'

/** In seconds. Older requests may be replays (Standard Webhooks). */
const tolerance = 300

/**
 * Verifies the signature and age of a callback request and returns its content. `body`: as it arrived, a text or bytes.
 * Store `webhook-id` to detect duplicates.
 * @throws CarillonError bad_signature, stale_timestamp; status 0. TypeError for a missing or malformed secret, or a parsed body
 */
export async function verifyCallback(
  secret: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string | Uint8Array,
): Promise<CallbackEvent> {
  assertSecret(secret, 'The secret of the callback')
  const text = rawContent(body)
  const headerMap = new Headers(Object.entries(plain(headers)).map(([name, value]) => [name, String(value)]))
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headerMap.get(name) ?? '',
  )
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const secretBytes = bytesOf(secret.replace(/^whsec_/, ''))
  // A key of no bytes is refused by the platform, in words about keys.
  if (secretBytes.length === 0)
    throw new TypeError(
      'The secret of the callback must be whsec_ followed by base64, as it was shown when it was made.',
    )
  const key = await crypto.subtle.importKey('raw', secretBytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
  const fits = await Promise.all(
    signatures!
      .split(' ')
      .filter((one) => one.startsWith('v1,'))
      .map((one) => crypto.subtle.verify('HMAC', key, bytesOf(one.slice('v1,'.length)), signed)),
  )
  if (signatures === '')
    throw refused(
      'bad_signature',
      'The request has no header webhook-signature: it is no callback of Carillon.',
    )
  if (!fits.includes(true))
    throw refused(
      'bad_signature',
      'The signature does not match the body. Pass the body as it arrived, and the secret of this callback.',
    )
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp))
  if (!(age <= tolerance))
    throw refused('stale_timestamp', `The timestamp is not within ${tolerance} seconds of the current time.`)
  return JSON.parse(text)
}

function plain(headers: Headers | Record<string, string | string[] | undefined>) {
  return headers instanceof Headers ? Object.fromEntries(headers) : headers
}

/** Decodes base64. Invalid input yields no bytes, which match no signature. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

function refused(code: string, message: string): CarillonError {
  return new CarillonError(message, { code, status: 0 })
}
