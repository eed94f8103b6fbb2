import { assertSecret } from './raw-content.ts'
import type { Send } from './transport.ts'
import type { EventAnswer, EventAnswers, SystemEvent } from './types.ts'

/** The key that signs events, or Lookups: its id and its secret, as a system administrator or an operator gave them. */
export type SigningKey = { id: string; secret: string }

/** Sends one signed event. @throws CarillonError; TypeError if the secret is missing */
export async function sendEvent(
  send: Send,
  source: string,
  key: SigningKey,
  event: SystemEvent,
): Promise<EventAnswer> {
  return send('POST', pathOf(source), await signed(key, event))
}

/** Sends up to 100 events under one signature. @throws CarillonError; TypeError if the secret is missing */
export async function sendEvents(
  send: Send,
  source: string,
  key: SigningKey,
  events: SystemEvent[],
): Promise<EventAnswers> {
  return send('POST', `${pathOf(source)}/batch`, await signed(key, { events }))
}

function pathOf(source: string): string {
  return `/v1/events/${encodeURIComponent(source)}`
}

/**
 * The serialised body and the headers that sign exactly this text: HMAC-SHA256 of `timestamp.text`. An event counts
 * once.
 */
async function signed({ id, secret }: SigningKey, body: unknown) {
  assertSecret(secret, 'The secret of a signing key')
  const raw = JSON.stringify(body)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = {
    'x-service-key-id': id,
    'x-service-timestamp': timestamp,
    'x-service-signature': `v1=${await hmac(secret, `${timestamp}.${raw}`)}`,
  }
  return { raw, headers, repeatable: true }
}

/** In hex. Uses WebCrypto, which every platform with fetch has. */
async function hmac(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
